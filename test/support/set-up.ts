/**
 * nock patches Node's http module as soon as it is loaded, and the suites of one Jest process share that module. If a
 * suite throws while loading, the patch stays and makes unrelated suites fail. So the patch is removed immediately,
 * and applied only while a suite that uses nock runs its tests.
 */
jest.doMock('nock', () => {
	const module = jest.requireActual<typeof import('nock')>('nock');
	const nock = module.default;
	nock.restore();
	beforeAll(() => nock.activate());
	afterAll(() => nock.restore());
	return module;
});
