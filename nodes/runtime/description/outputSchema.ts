import { aBoolean, type Schema } from '../table/record';
import type { Operation, Resource } from '../table/operation';

/** The JSON Schema of what an operation puts out, for n8n's preview of output data. */
export const outputSchema = (row: Operation, resource: Resource): Schema & { type: string } => ({
	type: 'object',
	properties: {
		...(row.existing && existingProperties(resource)),
		...(row.output.simple ?? row.output).kind.schema.properties,
	},
});

/** What If Exists may put out in the place of what was created: the record of the list. */
function existingProperties({ listing, operations }: Resource): Record<string, Schema> {
	const list = listing && operations[listing.list];
	return { ...list?.output.kind.schema.properties, existed: aBoolean.schema };
}
