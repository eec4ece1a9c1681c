import { join } from 'node:path';
import ts from 'typescript';

/** Type-checks a file of a project with another text. Each call reuses the previous program. */
export function typeChecker(root: string): (file: string, text: string) => boolean {
	const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
	const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
	let changed = { path: '', text: '' };
	let version = 0;
	const host: ts.LanguageServiceHost = {
		fileExists: ts.sys.fileExists,
		readFile: ts.sys.readFile,
		readDirectory: ts.sys.readDirectory,
		directoryExists: ts.sys.directoryExists,
		getDirectories: ts.sys.getDirectories,
		realpath: ts.sys.realpath,
		getCompilationSettings: () => options,
		getScriptFileNames: () => fileNames,
		getScriptVersion: (path) => (path === changed.path ? String(version) : '0'),
		getScriptSnapshot: (path) => {
			const text = path === changed.path ? changed.text : ts.sys.readFile(path);
			return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
		},
		getCurrentDirectory: () => root,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
	};
	const service = ts.createLanguageService(host);
	return (file, text) => {
		changed = { path: join(root, file), text };
		version += 1;
		const problems = [
			...service.getSyntacticDiagnostics(changed.path),
			...service.getSemanticDiagnostics(changed.path),
		];
		return problems.length === 0;
	};
}
