import { startSandbox } from '../../sandbox/server.ts';

test('the overview page answers', async () => {
	const sandbox = await startSandbox({ port: 0 });
	const answer = await fetch(sandbox.url);
	expect(answer.status).toBe(200);
	await sandbox.close();
});
