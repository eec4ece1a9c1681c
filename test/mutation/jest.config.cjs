const { join } = require('node:path');
const { projects, ...config } = require('../../jest.config.js');

const rootDir = join(__dirname, '../..');

/** @type {import('jest').Config} */
module.exports = {
	...config,
	rootDir,
	testSequencer: '<rootDir>/test/mutation/sequencer.cjs',
	projects: projects
		.filter(({ displayName }) => displayName !== 'sandbox')
		.map((project) => ({
			...project,
			rootDir,
			setupFilesAfterEnv: ['<rootDir>/test/mutation/switch.cjs', ...project.setupFilesAfterEnv],
		})),
};
