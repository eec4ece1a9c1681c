const { default: Sequencer } = require('@jest/test-sequencer');

/** Runs test files in the order of the list in `TEST_FILES`. */
module.exports = class extends Sequencer {
	sort(tests) {
		const files = JSON.parse(process.env.TEST_FILES ?? '[]');
		return [...tests].sort((a, b) => files.indexOf(a.path) - files.indexOf(b.path));
	}
};
