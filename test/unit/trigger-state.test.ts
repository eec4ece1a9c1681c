/** The serialized state of a trigger. */
import { readState, serialize, type State } from '../../nodes/runtime/poll/state';

const bare: State = { key: 'account 1', cursor: { known: [1, 2] } };
const emitted = { at: 1_900_000_000_000, instance: 'process 1', events: [{ id: 3 }] };

it.each<[string, State]>([
	['a cursor alone', bare],
	['the user', { ...bare, user: '7' }],
	['the last emission', { ...bare, emitted }],
	['everything', { ...bare, user: '7', emitted }],
])('is the same after saving and reading: %s', (_, state) => {
	expect(readState(JSON.parse(JSON.stringify(serialize(state))))).toEqual({ state });
});

it('is corrupt if its cursor was truncated', () => {
	const saved = { ...serialize(bare), cursor: { known: [1] } };
	expect(readState(saved)).toBe('broken');
});
