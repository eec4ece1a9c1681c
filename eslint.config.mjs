import { readdirSync } from 'node:fs';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/** What ends up in the published package. The scan in test/scan applies n8n's own copy of these rules once more. */
const published = ['package.json', '{nodes,credentials,vendor}/**/*.{ts,json}'];

/** Files that must not import from these folders. */
const notFrom = (files, folders, ignores = []) => ({
	files,
	ignores,
	rules: {
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					{
						regex: `(^|/)(${folders.join('|')})(/|$)`,
						message:
							'A file of this folder must not import from that one: see Layers in docs/architecture.md.',
					},
				],
			},
		],
	},
});
const services = readdirSync('nodes', { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && entry.name !== 'runtime')
	.map(({ name }) => name);
const tools = ['sandbox', 'demo', 'engine', 'bench', 'playground', 'test'];
const allTools = [...tools, 'cases', 'check', 'scripts'];

/** The layers of the runtime, as in docs/architecture.md: each folder imports only from the layers below its own. */
const layers = [['execute', 'poll', 'description'], ['transport'], ['table', 'errors'], ['fields']];
const layerRules = layers.flatMap((layer, index) =>
	layer.map((folder) => {
		const others = layers.slice(0, index + 1).flat();
		const notBelow = others.filter((other) => other !== folder);
		return notFrom([`nodes/runtime/${folder}/**`], [...notBelow, ...services, ...allTools]);
	}),
);

export default defineConfig(
	{ ignores: ['**/node_modules/', 'dist/', 'build/', 'coverage/', 'playground/.data/'] },
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
	{ files: ['**/*.{ts,js,mjs}'], extends: [tseslint.configs.recommended] },
	{
		files: ['**/*.ts'],
		languageOptions: { parserOptions: { project: 'tsconfig.tools.json' } },
		rules: {
			// Mistakes that only types show: a promise that nobody awaits, or that is used as a value.
			'@typescript-eslint/await-thenable': 'error',
			'@typescript-eslint/no-floating-promises': [
				'error',
				// The runner of the slower tests waits for its tests itself.
				{
					allowForKnownSafeCalls: [
						{ from: 'package', package: 'node:test', name: ['describe', 'it', 'test', 'before', 'after'] },
					],
				},
			],
			'@typescript-eslint/no-misused-promises': 'error',
			'@typescript-eslint/prefer-promise-reject-errors': 'error',
			'@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
			'@typescript-eslint/no-for-in-array': 'error',
			'@typescript-eslint/only-throw-error': 'error',
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			'@typescript-eslint/consistent-type-imports': [
				'error',
				{ fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
			],
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	notFrom(
		['nodes/**'],
		[...services, ...allTools],
		[...services.map((service) => `nodes/${service}/**`), 'nodes/{newslink,tables}.ts'],
	),
	...layerRules,
	notFrom(
		['nodes/runtime/*.ts'],
		[...layers.flat().filter((folder) => folder !== 'errors'), ...services, ...allTools],
		['nodes/runtime/api-types.ts'],
	),
	// It imports only types, of which nothing is left when the code runs: test/house/layers checks this.
	notFrom(
		['nodes/runtime/api-types.ts'],
		[...layers.flat().filter((folder) => folder !== 'table'), ...services, ...allTools],
	),
	...services.map((service) =>
		notFrom([`nodes/${service}/**`], [...services.filter((other) => other !== service), ...allTools]),
	),
	notFrom(['{credentials,vendor}/**'], allTools),
	notFrom(['scripts/**'], [...tools, 'cases']),
	notFrom(['cases/**'], ['nodes', 'vendor', 'credentials', 'check', 'scripts', ...tools]),
	notFrom(
		['sandbox/**'],
		['nodes', 'vendor', 'credentials', 'cases', 'check', ...tools.filter((folder) => folder !== 'sandbox')],
	),
	{
		// A library is evaluated when it is first used, which an import does not wait for.
		files: ['vendor/*.ts'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	{
		files: published,
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		rules: { 'no-console': 'error' },
	},
	{
		files: ['package.json'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: n8nNodesBase.configs.community.rules,
	},
	{ files: ['package.json', '{nodes,credentials}/**/*.json'], languageOptions: { parser: tseslint.parser } },
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// Off in n8n's scan as well: made for n8n's own credentials, and replaced by a community-nodes rule.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// As n8n's strict mode has it.
			'@typescript-eslint/no-unused-vars': 'error',
			'no-duplicate-imports': 'error',
			// Off in n8n's scan as well: inputs and outputs may be an enum, and some services have a maximum limit.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);
