/** Which parameters n8n's editor shows. */
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/** Whether a parameter is shown if others have these values. Parameters that are not in `values` are ignored. */
export function isShown(
	{ displayOptions }: Pick<INodeProperties, 'displayOptions'>,
	values: Record<string, unknown>,
): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(([path, shownFor]) => {
		const name = path.replace(/^\//, '');
		return !(name in values) || (shownFor as unknown[]).includes(values[name]);
	});
}

/** The parameters of an operation, without those of all operations; including those that depend on another parameter. */
export const operationParameters = (
	{ properties }: Pick<INodeTypeDescription, 'properties'>,
	{ resource, operation }: { resource: string; operation: string },
): INodeProperties[] =>
	properties.filter(
		(property) => property.displayOptions?.show?.operation && isShown(property, { resource, operation }),
	);
