import { aBoolean, aText, listOf, type Schema } from '../table/record';
import { givenKind, type Operation } from '../table/operation';

/** What is told of a record that may have been there before: whether it was, and which members are others than asked for. */
const existence = { existed: aBoolean.schema, differs: listOf(aText).schema };

/** The JSON Schema of what an operation puts out, for n8n's preview of output data. */
export const outputSchema = (row: Operation): Schema & { type: string } => ({
	type: 'object',
	properties: {
		...givenKind(row.output).schema.properties,
		...(row.existing && existence),
	},
});
