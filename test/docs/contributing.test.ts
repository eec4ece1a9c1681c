/** The code in CONTRIBUTING.md compiles when pasted, and all files that it names exist. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../support/nodes/built';

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** The code blocks with the file that their first line names. */
const recipes = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(
	([, file = '', code = '']): [string, string] => [file, code],
);

/** The text without what the formatter may change: white space, and commas before a closing bracket. */
const withoutSpace = (text: string): string => text.replace(/\s+/g, '').replace(/,(?=[)\]}])/g, '');

/** The file with the code added: a row before the first row, other code at the end. */
function withRecipe(file: string, code: string): string {
	const text = readFileSync(join(root, file), 'utf8');
	// The reader of CONTRIBUTING.md may have added it already, with the import at the top.
	const isPasted = (part: string): boolean => withoutSpace(text).includes(withoutSpace(part));
	if (code.split('\n\n').every(isPasted)) return text;
	if (/^export /m.test(code)) return text + code;
	const firstRow = /^\t+\w+: operation\(/m.exec(text);
	if (!firstRow) throw new Error(`${file} has no row before which the recipe could go`);
	return text.slice(0, firstRow.index) + code + text.slice(firstRow.index);
}

let program: ts.Program | undefined;

/** The compiler's errors in a file with another text. Calls share a cache of parsed files. */
function problemsOf(file: string, text: string): string[] {
	const path = join(root, file);
	const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as { config: unknown };
	const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
	const host = ts.createCompilerHost(options);
	const getSourceFile = host.getSourceFile.bind(host);
	host.getSourceFile = (name, settings) =>
		name === path
			? ts.createSourceFile(name, text, settings)
			: (program?.getSourceFile(name) ?? getSourceFile(name, settings));
	program = ts.createProgram([path], options, host, program);
	const source = program.getSourceFile(path);
	return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
		({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
	);
}

it('has code for an operation and for an event', () => {
	expect(recipes.map(([file]) => file)).toEqual([
		'nodes/LinkManager/resources/campaign.ts',
		'nodes/LinkManager/triggers/new-records.ts',
	]);
});

it.each(recipes)('its code for %s compiles when pasted', (file, code) => {
	expect(problemsOf(file, withRecipe(file, code))).toEqual([]);
});

it('reports code that does not compile', () => {
	const [file, code] = recipes[0]!;
	const wrong = code.replace(/output: confirmed\(.*\)/, 'output: confirmed()');
	expect(wrong).not.toBe(code);
	expect(problemsOf(file, withRecipe(file, wrong))).toContainEqual(
		expect.stringContaining('Expected 1 arguments'),
	);
});

it('names only files that exist', () => {
	const named = [...page.matchAll(/`((?:\.?\w[\w-]*\/)[\w./-]*)`/g)].map(([, path = '']) => path);
	expect(named.length).toBeGreaterThan(20);
	const generated = ['build/', 'dist/'];
	const missing = named.filter(
		(path) =>
			!generated.includes(path) &&
			globSync(path, { cwd: root }).length === 0 &&
			!existsSync(join(root, path)),
	);
	expect(missing).toEqual([]);
});
