/**
 * nock changes Node's own http, which suites of one Jest process share, as soon as it is loaded. A suite that threw
 * while it loaded left it changed, for innocent suites to fail. So it is put right again at once, and changed only
 * while the tests of a suite that uses it run.
 */
jest.doMock('nock', () => {
	const module = jest.requireActual<typeof import('nock')>('nock');
	const nock = module.default;
	nock.restore();
	beforeAll(() => nock.activate());
	afterAll(() => nock.restore());
	return module;
});
