/** The order of a form's parameters. */
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { canBeShownTogether, conditionsOf } from './visibility';
import { isText } from './walk';

type NodeRule = (description: INodeTypeDescription) => Array<string | undefined>;

/** For each resource and operation: a required parameter never follows an optional one that is shown with it. */
export const requiredFirst: NodeRule = ({ properties }) =>
	properties.flatMap((required, index) => {
		if (!required.required) return [];
		const choosesIt = new Set(conditionsOf(required, 'show').map(([name]) => name));
		const before = properties
			.slice(0, index)
			.filter(
				(other) =>
					!other.required && !isText(other) && other.name !== 'pollTimes' && !choosesIt.has(other.name),
			)
			.find((other) => !isSelector(other) && canBeShownTogether([other, required], properties));
		return before ? [`${required.name}: is required but comes after the optional "${before.name}"`] : [];
	});

/** The parameters after an operation's own, in this order; those that depend on Simplify follow it. */
const endOfForm = ['ifExists', 'returnAll', 'limit', 'simplify'];

/** In every form: the records that it is about first; then its own parameters, those of every list, the collections and what only tools have. */
export const sameOrder: NodeRule = ({ properties }) => {
	const dependsOn = (property: INodeProperties) =>
		conditionsOf(property, 'show')
			.map(([name]) => name)
			.filter((name) => !['resource', 'operation', 'event'].includes(name));
	const placeOf = (property: INodeProperties): number => {
		if (property.type === 'collection' || property.displayOptions?.show?.['@tool']) return 9;
		if (dependsOn(property).includes('simplify')) return 8;
		if (endOfForm.includes(property.name)) return 2 + endOfForm.indexOf(property.name);
		const isRecord = property.type === 'resourceLocator' && property.required;
		return isRecord && dependsOn(property).length === 0 ? 0 : 1;
	};
	const own = properties.filter(
		(property) => !isSelector(property) && !isPolling(property) && !isText(property),
	);
	return own.flatMap((property, index) => {
		const before = own
			.slice(0, index)
			.find(
				(other) => placeOf(other) > placeOf(property) && canBeShownTogether([other, property], properties),
			);
		return before ? [`${property.name}: is after "${before.name}"`] : [];
	});
};

/** Parameters that depend on another one follow it directly, with only others that depend on it in between. */
export const together: NodeRule = ({ properties }) => {
	const chosenBy = (property: INodeProperties) =>
		conditionsOf(property, 'show')
			.map(([name]) => name)
			.filter((name) => !['resource', 'operation', 'event'].includes(name));
	return properties.flatMap((property, index) => {
		const choosers = chosenBy(property);
		const isChooser = ({ name }: INodeProperties) => choosers.includes(name);
		const stranger = properties.slice(0, index).find(
			(other, index) =>
				![other.name, ...chosenBy(other)].some((name) => choosers.includes(name)) &&
				properties
					.slice(0, index)
					.filter(isChooser)
					.some((chooser) => canBeShownTogether([chooser, other, property], properties)),
		);
		return stranger
			? [`${property.name}: is after "${stranger.name}", but depends on "${choosers.join()}"`]
			: [];
	});
};

/** Two parameters have the same order in all forms that have both. */
export const alike: NodeRule = ({ properties }) => {
	const orders = new Map<string, string>();
	return properties.flatMap((later, index) =>
		properties.slice(0, index).flatMap((earlier) => {
			if (earlier.name === later.name || isSelector(earlier) || isText(earlier)) return [];
			if (!canBeShownTogether([earlier, later], properties)) return [];
			orders.set(`${earlier.name} ${later.name}`, later.name);
			return orders.has(`${later.name} ${earlier.name}`)
				? [`${earlier.name}: is before "${later.name}", but after it in other forms`]
				: [];
		}),
	);
};

/** What every trigger has, after the settings of its events. */
const isPolling = ({ name }: INodeProperties): boolean =>
	['pollTimes', 'firstPoll', 'firstCount'].includes(name);

/** What n8n's editor puts first: which account, which resource, what to do. */
export function isSelector({ name }: INodeProperties): boolean {
	return ['authentication', 'resource', 'operation', 'event'].includes(name);
}
