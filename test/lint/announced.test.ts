/** Checks the built nodes against rules that n8n has announced but not released; docs/verification.md lists them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { choicesOf, parametersOf } from './walk';

const root = resolve(__dirname, '../..');
const nodes = ['LinkManager', 'NewsReader'].flatMap((folder) => [
	{ folder, name: folder },
	{ folder, name: `${folder}Trigger` },
]);
const read = (file: string): string => readFileSync(join(root, 'dist/nodes', file), 'utf8');

const twice = (values: unknown[]): unknown[] => values.filter((value, n) => values.indexOf(value) !== n);

it('names only rules that the released plugin does not have', () => {
	const [, section = ''] = readFileSync(join(root, 'docs/verification.md'), 'utf8').split(
		'n8n has announced',
	);
	const named = /\n\|[^]*?\n\n/.exec(section)![0].match(/`[a-z-]+`/g)!;
	const released = readdirSync(join(root, 'node_modules/@n8n/eslint-plugin-community-nodes/dist/rules'));
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter((name) => released.includes(`${name.slice(1, -1)}.js`))).toEqual([]);
});

describe.each(nodes)('$name', ({ folder, name }) => {
	const description = JSON.parse(read(`${folder}/${name}.description.json`)) as INodeTypeDescription;

	it('has a default for each parameter, and no descriptions without information', () => {
		const parameters = parametersOf(description);
		expect(parameters.length).toBeGreaterThan(10);
		const faults = parameters.filter(
			({ property }) => !('default' in property) || property.required === false,
		);
		expect(faults.map(({ path }) => path)).toEqual([]);
	});

	it('has no duplicate option, and no asterisk in option names', () => {
		for (const { property } of parametersOf(description)) {
			const choices = choicesOf(property);
			expect(twice(choices.map(({ value }) => value))).toEqual([]);
			expect(twice(choices.map((choice) => choice.name))).toEqual([]);
			expect(choices.filter((choice) => choice.name.includes('*'))).toEqual([]);
		}
	});

	it('has hints of at most 120 characters', () => {
		const hints = parametersOf(description).map(({ property }) => property.hint ?? '');
		expect(hints.filter((hint) => hint.length > 120)).toEqual([]);
	});

	it('has the camel case name of its file, and no default color', () => {
		expect(description.name).toMatch(/^[a-z][a-zA-Z\d]*$/);
		expect(description.name.toLowerCase()).toBe(name.toLowerCase());
		expect(description.defaults.color).toBeUndefined();
	});

	it("has a hint for n8n's workflow builder", () => {
		expect(description.builderHint?.searchHint).toMatch(/^[A-Z].{30,90}[a-z]$/);
	});

	it('has a known category, and no subcategory', () => {
		const { categories, subcategories } = JSON.parse(read(`${folder}/${name}.node.json`)) as {
			categories: string[];
			subcategories?: unknown;
		};
		const known = [
			'Analytics',
			'Communication',
			'Data & Storage',
			'Development',
			'Finance & Accounting',
			'Marketing & Content',
			'Miscellaneous',
			'Productivity',
			'Sales',
			'Utility',
		];
		expect(categories.filter((category) => !known.includes(category))).toEqual([]);
		expect(categories).not.toEqual([]);
		expect(subcategories).toBeUndefined();
	});

	it('has icons with enough contrast in both themes', () => {
		const icons = description.icon as { light: string; dark: string };
		const shade = { light: [255, 255, 255], dark: [43, 43, 43] };
		for (const theme of ['light', 'dark'] as const) {
			const colors = read(`${folder}/${icons[theme].replace('file:', '')}`).match(/#[\da-f]{6}/g) ?? [];
			const contrasts = colors.map((color) => contrast(luminance(rgbOf(color)), luminance(shade[theme])));
			expect(Math.max(...contrasts)).toBeGreaterThan(3);
		}
	});
});

const rgbOf = (color: string): number[] =>
	[1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));

/** Relative luminance as WCAG 2 defines it. */
function luminance(rgb: number[]): number {
	const [red, green, blue] = rgb.map((value) => {
		const share = value / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const contrast = (one: number, other: number): number =>
	(Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
