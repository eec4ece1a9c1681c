/** Tests that every invalid option is reported by its label, and that no request is sent. */
import type { INodeProperties } from 'n8n-workflow';
import { isShown } from '../../engine/form.ts';
import { useFakeHost } from '../support/hosts/use-fake-host';
import { allCases } from '../support/cases/all-cases';
import { credentialsFor, NODE as LINK_MANAGER, runNode } from '../support/nodes/link-node';
import { parametersFrom } from '../support/cases/parameters';
import { runReader, SESSION, sessionCredential } from '../support/nodes/reader-node';
import { TriggerRun } from '../support/triggers/trigger-run';

const world = useFakeHost();
beforeEach(() => {
	world.host.requests.length = 0;
	world.host.respond = () => ({ status: 404 });
});

const invalidValues = [{ a: 1 }, 'maybe', ['maybe'], -1];

/** The parameters of the node's collection with this name. */
const membersOf = (node: string, name: string): INodeProperties[] => {
	const collections = world.engine
		.nodeType(node)
		.description.properties.filter((property) => property.name === name);
	return collections.flatMap(({ options = [] }) => options as INodeProperties[]);
};

it.each(allCases.map((testCase) => [`${testCase.resource}.${testCase.operation}`, testCase] as const))(
	'%s',
	async (_, subject) => {
		const { node, resource, operation, form, fixed = {} } = subject;
		const { description } = world.engine.nodeType(node);
		const parameters = parametersFrom(description, subject, Object.keys(form), { dataSource: 'json' });
		const run = async (options: unknown): Promise<unknown[]> => {
			const inputs = invalidValues.map((value) => ({ form, value }));
			const onError = 'continueRegularOutput';
			const credentials = sessionCredential(world.host.baseUrl, { sessionToken: SESSION });
			const nodeParameters = { ...parameters, ...fixed, options };
			return node === LINK_MANAGER
				? (await runNode(world.engine, world.host, nodeParameters, inputs, { onError })).json('Link Manager')
				: (await runReader(world.engine, nodeParameters, inputs, { onError, credentials })).json(
						'News Reader',
					);
		};
		const reported = (label: string) =>
			invalidValues.map(
				() => expect.objectContaining({ error: expect.stringMatching(`^${label}`) as string }) as object,
			);
		// Options of type string accept any text.
		const members = membersOf(node, 'options').filter(({ type }) => type !== 'string');
		for (const { name, displayName } of members.filter((member) =>
			isShown(member, { resource, operation }),
		)) {
			const label = displayName.replace(/[()]/g, '\\$&');
			expect(await run({ [name]: '={{ $json.value }}' })).toEqual(reported(`${label} `));
		}
		expect(world.host.requests).toEqual([]);
	},
);

const triggers = [
	['linkManagerTrigger', { linkManagerApi: { id: 'key', name: 'key' } }],
	['newsReaderTrigger', { newsReaderSessionApi: { id: 'session', name: 'session' } }],
] as const;

it.each(triggers)('every event of %s', async (type, credentials) => {
	const { properties } = world.engine.nodeType(`n8n-nodes-newslink.${type}`).description;
	const activate = async (parameters: object): Promise<unknown> => {
		const node = { name: 'Trigger', type: `n8n-nodes-newslink.${type}`, parameters, credentials };
		const accounts = { ...credentialsFor(world.host), ...sessionCredential(world.host.baseUrl) };
		return await new TriggerRun(world.engine, node, accounts)
			.activate()
			.catch((error: Error) => error.message);
	};
	const { options: events = [] } = properties.find(({ name }) => name === 'event')!;
	for (const { value } of events as Array<{ value: string }>) {
		const shown = properties.filter(
			(property) => isShown(property, { event: value }) && property.name !== 'event',
		);
		const collected = shown
			.filter((property) => property.type === 'collection')
			.flatMap(({ name, options = [] }) =>
				(options as INodeProperties[]).map((member) => ({ name, member })),
			);
		for (const { displayName, name, displayOptions } of shown) {
			if (NOT_CHECKED.includes(name)) continue;
			const { event: _, ...others } = displayOptions?.show ?? {};
			const needed = Object.entries(others).map(([key, values]) => [key, values?.[0]]);
			const parameters = { event: value, ...requiredParameters(value), ...Object.fromEntries(needed) };
			expect([value, await activate({ ...parameters, [name]: '={{ [{ "a": 1 }] }}' })]).toEqual([
				value,
				expect.stringMatching(`^${displayName} `),
			]);
		}
		for (const { name, member } of collected) {
			const parameters = {
				event: value,
				...requiredParameters(value),
				[name]: { [member.name]: '={{ [{ "a": 1 }] }}' },
			};
			expect([value, await activate(parameters)]).toEqual([
				value,
				expect.stringMatching(`^${member.displayName.replace(/[()]/g, '\\$&')} `),
			]);
		}
	}
	expect(world.host.requests).toEqual([]);
});

/** Parameters that n8n evaluates itself, or that accept no expression. */
const NOT_CHECKED = ['authentication', 'filters', 'options', 'pollTimes'];

/** The required parameters of an event. */
const requiredParameters = (event: string): object =>
	event === 'newChannelItem' ? { channelId: { __rl: true, mode: 'id', value: 7 } } : {};
