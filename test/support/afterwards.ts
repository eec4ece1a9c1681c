type Undo = () => unknown;

const ofSuite: Undo[] = [];
let registered = ofSuite;

const undoAll = async (undos: Undo[]): Promise<void> => {
	await Promise.all(undos.splice(0).map((undo) => undo()));
};

beforeEach(() => void (registered = []));
afterEach(async () => {
	await undoAll(registered);
	registered = ofSuite;
});
afterAll(() => undoAll(ofSuite));

/** Calls `undo` after the test or suite that set something up. @returns a function that calls it earlier; it is called once */
export function undoneAfterwards<Undone>(undo: () => Undone): () => Undone {
	let undone: { result: Undone } | undefined;
	const undoOnce = (): Undone => (undone ??= { result: undo() }).result;
	registered.push(undoOnce);
	return undoOnce;
}
