/** What each suite runs, by its folders: `npm test` runs the quick one, CI all of them. */
const suites = {
	quick: ['unit', 'engine', 'contract', 'workflows', 'docs', 'lint', 'house', 'load'],
	deep: ['faults', 'polls', 'frozen', 'scan'],
	sandbox: ['sandbox', 'demo', 'check'],
};

/** ESM-only libraries, which Jest transpiles to CommonJS. */
const esModules = 'nock|@mswjs|@open-draft|rettime';

/** @type {import('jest').Config} */
module.exports = {
	maxWorkers: 2,
	// Only catches hangs; no test depends on the machine's speed.
	testTimeout: 300_000,
	projects: Object.entries(suites).map(([displayName, folders]) => ({
		displayName,
		testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
		setupFilesAfterEnv: ['<rootDir>/test/support/set-up.ts'],
		modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/build/', '<rootDir>/playground/'],
		transform: {
			'\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
			[`/node_modules/(${esModules})/`]: ['@swc/jest', { jsc: { target: 'es2022' } }],
		},
		transformIgnorePatterns: [`/node_modules/(?!(${esModules})/)`],
	})),
};
