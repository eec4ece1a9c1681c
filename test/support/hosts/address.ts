import nock from 'nock';

/** Forwards requests for a fixed address to the service at `url`, so that every run uses the same address. */
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
