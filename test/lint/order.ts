/** Lint rules for the order of parameters in a form. */
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { canBeShownTogether, conditionsOf } from './visibility';
import { isText } from './walk';

type NodeRule = (description: INodeTypeDescription) => Array<string | undefined>;

/** In each operation, no required parameter follows an optional one that is shown at the same time. */
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

/** The shared parameters after an operation's own, in this order. Parameters that depend on Simplify follow it. */
const endOfForm = ['ifExists', 'returnAll', 'limit', 'simplify'];

/** In every form, the order is: record ids, the operation's own parameters, list parameters, collections, tool parameters. */
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

/** Dependent parameters directly follow the parameter that they depend on. */
export const dependentsFollow: NodeRule = ({ properties }) => {
	const chosenBy = (property: INodeProperties) =>
		conditionsOf(property, 'show')
			.map(([name]) => name)
			.filter((name) => !['resource', 'operation', 'event'].includes(name));
	return properties.flatMap((property, index) => {
		const choosers = chosenBy(property);
		const isChooser = ({ name }: INodeProperties) => choosers.includes(name);
		const unrelated = properties.slice(0, index).find(
			(other, index) =>
				![other.name, ...chosenBy(other)].some((name) => choosers.includes(name)) &&
				properties
					.slice(0, index)
					.filter(isChooser)
					.some((chooser) => canBeShownTogether([chooser, other, property], properties)),
		);
		return unrelated
			? [`${property.name}: is after "${unrelated.name}", but depends on "${choosers.join()}"`]
			: [];
	});
};

/** Two parameters have the same order in all forms that have both. */
export const consistentOrder: NodeRule = ({ properties }) => {
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

/** Whether a parameter is one that every trigger has after the settings of its events. */
const isPolling = ({ name }: INodeProperties): boolean =>
	['pollTimes', 'firstPoll', 'firstCount'].includes(name);

/** Whether n8n's editor shows a parameter first: account, resource and operation. */
export function isSelector({ name }: INodeProperties): boolean {
	return ['authentication', 'resource', 'operation', 'event'].includes(name);
}
