import type { Schema } from '../table/record';
import type { Operation } from '../table/operation';

/** The JSON Schema of what an operation puts out, for n8n's preview of output data. */
export const outputSchema = (row: Operation): Schema & { type: string } => ({
	type: 'object',
	properties: (row.output.simple ?? row.output).kind.schema.properties ?? {},
});
