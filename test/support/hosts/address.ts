import nock from 'nock';

/** Lets a service of this test answer at an address that is the same in every run. `stop` ends it. */
export function serveAt(address: string, url: string): { stop(): void } {
	const scope = nock(address).persist();
	for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
		scope.intercept(/.*/, method).reply(async (request: Request) => {
			const { pathname, search } = new URL(request.url);
			const body = await request.arrayBuffer();
			const answer = await fetch(`${url}${pathname}${search}`, {
				method: request.method,
				headers: request.headers,
				redirect: 'manual',
				...(body.byteLength > 0 && { body }),
			});
			return [answer.status, await answer.text(), Object.fromEntries(answer.headers)];
		});
	}
	return { stop: () => nock.cleanAll() };
}
