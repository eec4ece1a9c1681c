/**
 * Both legs of n8n's community package scan on a package that is not published yet:
 * `node scan.mjs <folder> source|tarball` prints { passed, details, warnings } as JSON.
 *
 * The scan itself counts errors only; warnings are counted here with its own configuration.
 */
import {
	analyzePackage,
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

const [folder, leg] = process.argv.slice(2);
const patterns = leg === 'source' ? SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];

const { passed, message, details } = await analyzePackage(folder, patterns);
const eslint = new ESLint({
	cwd: folder,
	allowInlineConfig: false,
	overrideConfigFile: true,
	overrideConfig: await buildScanConfig(),
});
const results = await eslint.lintFiles(patterns);
const warnings = results.flatMap(({ filePath, messages }) =>
	messages
		.filter(({ severity }) => severity === 1)
		.map(({ line, message, ruleId }) => `${filePath}:${line} ${message} (${ruleId})`),
);
console.log(JSON.stringify({ passed, details: details ?? message, warnings, files: results.length }));
