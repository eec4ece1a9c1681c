import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/** What ends up in the published package. The scan in test/scan applies n8n's own copy of these rules once more. */
const published = ['package.json', '{nodes,credentials,vendor}/**/*.{ts,json}'];

/** Files whose imports may name none of these folders, whatever leads there. */
const knowNothingOf = (files, folders, ignores = []) => ({
	files,
	ignores,
	rules: {
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					{ regex: `(^|/)(${folders})(/|$)`, message: 'Arrows run one way; CONTRIBUTING.md says which.' },
				],
			},
		],
	},
});
const tools = 'sandbox|demo|engine|bench|playground|test';

export default defineConfig(
	{ ignores: ['**/node_modules/', 'dist/', 'coverage/', 'playground/.data/'] },
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
	{ files: ['**/*.{ts,js,mjs}'], extends: [tseslint.configs.recommended] },
	{
		files: ['**/*.ts'],
		rules: {
			'@typescript-eslint/consistent-type-imports': [
				'error',
				{ fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
			],
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	knowNothingOf(['nodes/**'], `LinkManager|NewsReader|${tools}`, [
		'nodes/{LinkManager,NewsReader}/**',
		'nodes/newslink.ts',
	]),
	knowNothingOf(['nodes/LinkManager/**'], `NewsReader|${tools}`),
	knowNothingOf(['nodes/NewsReader/**'], `LinkManager|${tools}`),
	knowNothingOf(['{credentials,vendor,scripts}/**'], tools),
	knowNothingOf(['sandbox/**'], 'nodes|vendor|credentials|demo|engine|bench|playground|test'),
	{
		// CommonJS by necessity: read by gulp and Jest.
		files: ['gulpfile.js', 'jest.config.js'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
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
			// Off in n8n's scan as well: inputs and outputs may be an enum, and some services have a maximum limit.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);
