const { join } = require('node:path');
const { projects, ...config } = require('../../jest.config.js');

const rootDir = join(__dirname, '../..');

/** @type {import('jest').Config} */
module.exports = {
	...config,
	rootDir,
	// A mutant that waits forever is detected sooner. No test takes that long; those that do are left out of the record.
	testTimeout: 60_000,
	testSequencer: '<rootDir>/test/mutation/sequencer.cjs',
	projects: projects
		.filter(({ displayName }) => displayName !== 'sandbox')
		.map((project) => ({
			...project,
			rootDir,
			setupFilesAfterEnv: ['<rootDir>/test/mutation/switch.cjs', ...project.setupFilesAfterEnv],
		})),
};
