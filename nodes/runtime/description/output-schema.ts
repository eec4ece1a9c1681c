import { aBoolean, aText, listOf, type JsonSchema } from '../table/record';
import { resultSchema, type Operation } from '../table/operation';

/** What is told of a record that may have been there before: whether it was, and which members are others than asked for. */
const existence = { existed: aBoolean.jsonSchema, differs: listOf(aText).jsonSchema };

/** The JSON Schema of what an operation puts out, for n8n's preview of output data. */
export const outputSchema = (row: Operation): JsonSchema & { type: string } => ({
	type: 'object',
	properties: {
		...resultSchema(row.output).jsonSchema.properties,
		...(row.existing && existence),
	},
});
