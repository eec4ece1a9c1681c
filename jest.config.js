/** Libraries that are ES modules only, which Jest makes CommonJS of. */
const esModules = 'nock|@mswjs|@open-draft|rettime';

/** @type {import('jest').Config} */
module.exports = {
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// The tests of the sandbox, the demo and the check are a suite of their own: npm run test:sandbox.
	testPathIgnorePatterns: [
		'/node_modules/',
		'<rootDir>/test/e2e/',
		'<rootDir>/test/sandbox/',
		'<rootDir>/test/demo/',
		'<rootDir>/test/check/',
	],
	setupFilesAfterEnv: ['<rootDir>/test/support/setUp.ts'],
	maxWorkers: 2,
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/build/', '<rootDir>/playground/'],
	transform: {
		'\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
		[`/node_modules/(${esModules})/`]: ['@swc/jest', { jsc: { target: 'es2022' } }],
	},
	transformIgnorePatterns: [`/node_modules/(?!(${esModules})/)`],
	// Against what hangs only: how fast a machine is decides no test.
	testTimeout: 300_000,
};
