import type { INodeType, IPollFunctions } from 'n8n-workflow';
import { chain, createEngine, n8n, type Engine, type NodeJson } from '../../engine/index.ts';

/** Outputs every item twice, so that pairing can't be derived from the order. */
const twice = nodeType('twice', {
	properties: [{ displayName: 'Paired', name: 'paired', type: 'boolean', default: true }],
	async execute() {
		const paired = this.getNodeParameter('paired', 0);
		this.addExecutionHints({ message: 'Everything twice' });
		return [
			this.getInputData().flatMap((_, item) =>
				['a', 'b'].map((copy) => ({ json: { copy }, ...(paired ? { pairedItem: { item } } : {}) })),
			),
		];
	},
});

let attempts = 0;
const flaky = nodeType('flaky', {
	async execute() {
		attempts++;
		if (attempts < 3) throw new n8n.NodeOperationError(this.getNode(), 'Not yet');
		return [[{ json: { attempts } }]];
	},
});

const waiting = nodeType('waiting', {
	async execute() {
		const signal = this.getExecutionCancelSignal()!;
		await new Promise((resolve) => signal.addEventListener('abort', resolve));
		return [[{ json: { reported: true } }]];
	},
});

const counter: INodeType = {
	description: { ...descriptionOf('counter'), polling: true, inputs: [], group: ['trigger'] },
	async poll(this: IPollFunctions) {
		const state = this.getWorkflowStaticData('node');
		const count = ((state.count as number | undefined) ?? 0) + 1;
		state.count = count;
		if (count % 2 === 0) return null;
		return [[{ json: { count, mode: this.getMode(), activation: this.getActivationMode() } }]];
	},
};

let engine: Engine;

beforeAll(async () => {
	engine = await createEngine({
		extraNodes: Object.fromEntries(
			[twice, flaky, waiting, counter].map((type) => [`test.${type.description.name}`, type]),
		),
	});
});

beforeEach(() => {
	attempts = 0;
});

const items: NodeJson = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };
const input = [{ n: 'one' }, { n: 'two' }, { n: 'three' }];

/** An Edit Fields node that evaluates expressions. */
function read(fields: Record<string, string>): NodeJson {
	const assignments = Object.entries(fields).map(([name, value]) => ({
		id: name,
		name,
		value,
		type: 'string',
	}));
	return { name: 'Read', type: 'n8n-nodes-base.set', parameters: { assignments: { assignments } } };
}

describe('a run', () => {
	it('traces list entries back to their items, and fails if a node returned no pairing', async () => {
		const back = read({ n: "={{ $('Items').item.json.n }}", copy: '={{ $json.copy }}' });
		const paired = await engine.run({
			workflow: chain(items, { name: 'T', type: 'test.twice' }, back),
			input,
		});
		expect(paired.json('Read').map(({ n, copy }) => `${n}${copy}`)).toEqual([
			'onea',
			'oneb',
			'twoa',
			'twob',
			'threea',
			'threeb',
		]);
		expect(paired.hints('T')).toMatchObject([{ message: 'Everything twice' }]);

		const nodeWithoutPairing = { name: 'T', type: 'test.twice', parameters: { paired: false } };
		const resultWithoutPairing = await engine.run({
			workflow: chain(items, nodeWithoutPairing, back),
			input,
		});
		expect(resultWithoutPairing.status).toBe('error');
		expect(resultWithoutPairing.error?.message).toMatch(/paired item/i);
	});

	it('retries if the node is set to', async () => {
		const retried = {
			name: 'Flaky',
			type: 'test.flaky',
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1,
		};
		const result = await engine.run({ workflow: chain(items, retried) });
		expect(result.json('Flaky')).toEqual([{ attempts: 3 }]);
	});

	it('aborts the signal of the running node when it is canceled', async () => {
		const controller = new AbortController();
		const running = engine.run({
			workflow: chain(items, { name: 'Wait', type: 'test.waiting' }, read({ n: 'x' })),
			signal: controller.signal,
		});
		setTimeout(() => controller.abort(), 20);
		const result = await running;
		expect(result.status).toBe('canceled');
		expect(result.items('Read')).toEqual([]);
	});

	it('rejects unknown parameters, versions and nodes', async () => {
		const run = (node: NodeJson) => engine.run({ workflow: chain(items, node) });
		await expect(run({ ...read({}), parameters: { keepOnlySet: true } })).rejects.toThrow(
			'has no parameter "keepOnlySet"',
		);
		await expect(run({ ...read({}), parameters: { options: { dotNotation: false } } })).rejects.toThrow(
			'has no parameter "options.dotNotation"',
		);
		await expect(run({ ...read({}), typeVersion: 2 })).rejects.toThrow('has no version 2');
		await expect(run({ name: 'X', type: 'test.nothing' })).rejects.toThrow('no node type "test.nothing"');
	});
});

function descriptionOf(name: string) {
	return {
		displayName: name,
		name,
		group: ['transform' as const],
		version: 1,
		description: name,
		defaults: { name },
		inputs: ['main' as const],
		outputs: ['main' as const],
		properties: [],
	};
}

/** Creates a node type with defaults for everything that the test does not set. */
function nodeType(
	name: string,
	{
		properties = [],
		execute,
	}: Pick<INodeType, 'execute'> & Partial<Pick<INodeType['description'], 'properties'>>,
): INodeType {
	return { description: { ...descriptionOf(name), properties }, execute };
}
