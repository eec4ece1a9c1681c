import { createRequire } from 'node:module';

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
type Logger = Record<(typeof LEVELS)[number], (...args: unknown[]) => void>;

/** Collects all log entries of n8n while a suite runs, instead of printing them. */
export function captureLogs(): unknown[][] {
	const logged: unknown[][] = [];
	beforeAll(() => {
		const load = createRequire(require.resolve('n8n-core'));
		const { Container } = load('@n8n/di') as { Container: { get(service: unknown): Logger } };
		const { Logger } = load('@n8n/backend-common') as { Logger: unknown };
		for (const level of LEVELS) {
			jest
				.spyOn(Container.get(Logger), level)
				.mockImplementation((...args) => void logged.push([level, ...args]));
		}
	});
	afterAll(() => jest.restoreAllMocks());
	return logged;
}
