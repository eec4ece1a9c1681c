import { createRequire } from 'node:module';

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
type Logger = Record<(typeof LEVELS)[number], (...reported: unknown[]) => void>;

/** Collects everything that n8n logs while a suite runs; nothing is printed. */
export function listenToLogs(): unknown[][] {
	const logged: unknown[][] = [];
	beforeAll(() => {
		const load = createRequire(require.resolve('n8n-core'));
		const { Container } = load('@n8n/di') as { Container: { get(service: unknown): Logger } };
		const { Logger } = load('@n8n/backend-common') as { Logger: unknown };
		for (const level of LEVELS) {
			jest
				.spyOn(Container.get(Logger), level)
				.mockImplementation((...reported) => void logged.push([level, ...reported]));
		}
	});
	afterAll(() => jest.restoreAllMocks());
	return logged;
}
