type Close = () => Promise<void>;

const ofSuite: Close[] = [];
let opened = ofSuite;

const closeAll = async (closings: Close[]): Promise<void> => {
	await Promise.all(closings.splice(0).map((close) => close()));
};

beforeEach(() => void (opened = []));
afterEach(async () => {
	await closeAll(opened);
	opened = ofSuite;
});
afterAll(() => closeAll(ofSuite));

/** Closes a server after the test, or the suite, that opened it. @returns `close`, to call it earlier; works once */
export function closedAfterwards(close: Close): Close {
	let closed: Promise<void> | undefined;
	const closeOnce = (): Promise<void> => (closed ??= close());
	opened.push(closeOnce);
	return closeOnce;
}
