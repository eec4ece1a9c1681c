/** What n8n's editor shows in a node's form. */
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/** Whether a parameter is shown while others have these values. Those that are not in `values` may have any. */
export function isShown(
	{ displayOptions }: Pick<INodeProperties, 'displayOptions'>,
	values: Record<string, unknown>,
): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(([path, shownFor]) => {
		const name = path.replace(/^\//, '');
		return !(name in values) || (shownFor as unknown[]).includes(values[name]);
	});
}

/** The parameters that only some operations have, this one among them; also those that depend on another's value. */
export const operationParameters = (
	{ properties }: Pick<INodeTypeDescription, 'properties'>,
	{ resource, operation }: { resource: string; operation: string },
): INodeProperties[] =>
	properties.filter(
		(property) => property.displayOptions?.show?.operation && isShown(property, { resource, operation }),
	);
