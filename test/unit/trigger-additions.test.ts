/** The trigger for new records of a paged list: emits each record once, despite any failures. */
import fc from 'fast-check';
import { newQrCode } from '../../nodes/LinkManager/triggers/new-records';
import type { State } from '../../nodes/runtime/poll/state';
import { step, type PollSettings } from '../../nodes/runtime/poll/step';
import { propertyOptions } from '../support/cases/random';
import { NO_FAULT, SimulatedN8n, WorldApi, type Fault, type World } from './trigger-world';

const PAGE = 3;
const MAXIMUM = 4;

/** QR codes in pages of three. */
class Codes implements World {
	count = 0;

	constructor(private readonly isNewestFirst: boolean) {}

	ask: World['ask'] = (_, { query }) => {
		const ids = Array.from({ length: this.count }, (__, index) => index + 1);
		if (this.isNewestFirst) ids.reverse();
		const page = Number(query.page);
		const qrs = ids.slice((page - 1) * PAGE, page * PAGE).map((id) => ({
			id,
			link: `https://links.example.com/qr/c${id}`,
			scans: 0,
			name: `code ${id}`,
			date: String(id),
		}));
		const pages = Math.max(Math.ceil(ids.length / PAGE), 1);
		return {
			error: '0',
			data: { result: qrs.length, currentpage: page, nextpage: page + 1, maxpage: pages, qrs },
		};
	};
}

const settingsOf = (firstPoll: PollSettings['firstPoll']): PollSettings => ({
	...{ key: '', account: '', host: '' },
	firstPoll,
	firstCount: 10,
	maximum: MAXIMUM,
	reemitWithinMs: 0,
});
const run = (codes: Codes, firstPoll: PollSettings['firstPoll'] = 'nothing'): SimulatedN8n =>
	new SimulatedN8n(newQrCode.watch({}), codes, 'cursors', settingsOf(firstPoll));

const idOf = (eventId: string): number => Number(eventId.split(':')[1]);

type Step = { add: number } | { fault: Fault };
const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof(
		fc.integer({ min: 1, max: 9 }).map((add) => ({ add })),
		fc.constant({ fault: NO_FAULT }),
		fc.record({
			fault: fc.record({
				at: fc.integer({ min: 1, max: 6 }),
				kind: fc.constantFrom('rate limit' as const, 'server error' as const),
				requestLimit: fc.constantFrom(3, 6, 12, Infinity),
			}),
		}),
	),
	{ maxLength: 40 },
);

it('emits every new record once, from the lowest id', async () => {
	await fc.assert(
		fc.asyncProperty(
			steps,
			fc.boolean(),
			fc.nat(20),
			fc.constantFrom<PollSettings['firstPoll']>('nothing', 'everything'),
			async (history, isNewestFirst, before, firstPoll) => {
				const codes = new Codes(isNewestFirst);
				codes.count = before;
				const n8n = run(codes, firstPoll);
				const emitted: number[] = [];
				const poll = async (fault?: Fault): Promise<number> => {
					const polled = await n8n.poll(fault);
					if ('failed' in polled) return fault ? 0 : Promise.reject(polled.failed as Error);
					emitted.push(...polled.ids.map(idOf));
					return polled.ids.length;
				};
				await poll();
				for (const step of history) {
					if ('add' in step) codes.count += step.add;
					else await poll(step.fault);
				}
				for (let quiet = 0; quiet < 3;) quiet = (await poll()) > 0 ? 0 : quiet + 1;
				const first = firstPoll === 'everything' ? 1 : before + 1;
				const expected = Array.from({ length: codes.count - first + 1 }, (_, index) => first + index);
				expect(emitted).toEqual(expected);
			},
		),
		propertyOptions(300),
	);
});

it('requests one page if nothing is new and the list is newest first', async () => {
	const codes = new Codes(true);
	codes.count = 30;
	const n8n = run(codes);
	await n8n.poll();
	codes.count += 8;
	const emitted: string[] = [];
	for (let polls = 0; polls < 3; polls += 1) {
		const polled = await n8n.poll();
		if ('ids' in polled) emitted.push(...polled.ids);
	}
	expect(emitted).toHaveLength(8);
	expect(await n8n.poll()).toEqual({ ids: [], requests: 1 });
});

it('requests no further page if the last record of a page is known', async () => {
	const codes = new Codes(true);
	codes.count = 30;
	const n8n = run(codes);
	for (let polls = 0; polls < 2; polls += 1) await n8n.poll();
	codes.count += PAGE - 1;
	expect(await n8n.poll()).toMatchObject({ ids: ['qrCode:31', 'qrCode:32'], requests: 1 });
});

it.each([
	['the same process continues for 30 s', 'one', 30_000, false],
	['less than 30 s have passed', 'one', 29_999, true],
	['another process continues', 'other', 30_000, true],
])(
	'if %s, remembers the emitted items (process %s, after %i ms): %s',
	async (_, instance, ms, isRemembered) => {
		const codes = new Codes(true);
		const poll = async (now: number, by: string, state?: State): Promise<State> => {
			const moment = { now, instance: by, startedAt: 0, isFirstPoll: false, isTakeover: false };
			const settings = settingsOf('nothing');
			return (await step({ watch: newQrCode.watch({}), settings, api: new WorldApi(codes), moment }, state))
				.state;
		};
		const begun = await poll(1, 'one');
		codes.count = 1;
		const first = await poll(2, 'one', begun);
		expect(first).toHaveProperty('emitted');
		expect('emitted' in (await poll(2 + ms, instance, first))).toBe(isRemembered);
	},
);
