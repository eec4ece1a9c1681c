import nock from 'nock';

/** Serves a service of this test at an address that is the same in every run. `stop` ends it. */
export function serveAt(address: string, url: string): { stop(): void } {
	const scope = nock(address).persist();
	for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
		scope.intercept(/.*/, method).reply(async (request: Request) => {
			const { pathname, search } = new URL(request.url);
			const body = await request.arrayBuffer();
			const response = await fetch(`${url}${pathname}${search}`, {
				method: request.method,
				headers: request.headers,
				redirect: 'manual',
				...(body.byteLength > 0 && { body }),
			});
			return [response.status, await response.text(), Object.fromEntries(response.headers)];
		});
	}
	return { stop: () => nock.cleanAll() };
}
