import { CommandLineError, helpText, readCommandLine } from './command-line.ts';
import { startSandbox } from './start-sandbox.ts';
import { DataFileError } from './shared/database.ts';
import type { SandboxOptions } from './shared/options.ts';

const exitCodes = { failed: 1, badUsage: 2 };

async function main(): Promise<void> {
	const options = readCommandLine(process.argv.slice(2));
	if (options === 'help') {
		console.log(helpText());
		return;
	}
	await run(options);
}

async function run(options: Partial<SandboxOptions>): Promise<void> {
	const sandbox = await startSandbox(options);
	const stop = () => {
		process.off('SIGTERM', stop).off('SIGINT', stop);
		sandbox.close().catch(fail);
	};
	process.on('SIGTERM', stop).on('SIGINT', stop);
	console.log(
		`Sandbox ready: ${sandbox.url} (link service ${sandbox.linksUrl}, news reader service ${sandbox.readerUrl})`,
	);
}

/** Prints an expected error as a sentence with advice, and an unexpected error in full. */
function fail(error: unknown): void {
	process.exitCode = exitCodes.failed;
	if (error instanceof CommandLineError) {
		process.exitCode = exitCodes.badUsage;
		console.error(`${error.message} See npm run sandbox -- --help.`);
	} else if (error instanceof DataFileError) {
		console.error(error.message);
	} else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error) {
		console.error(
			`Port ${error.port} is taken. Stop what uses it, or choose another with --port (0 takes a free one).`,
		);
	} else if (error instanceof Error && 'code' in error && error.code === 'EACCES' && 'port' in error) {
		console.error(`Port ${error.port} may not be used by this user. Choose another with --port.`);
	} else {
		console.error(error);
	}
}

main().catch(fail);
