/** Tests unexpected values in every parameter of every operation: they are sent unchanged, or an error names the parameter. */
import type { INodeProperties } from 'n8n-workflow';
import { operationParameters } from '../../engine/form.ts';
import type { Table } from '../../nodes/runtime/table/operation';
import { linkTable, readerTable } from '../../nodes/tables';
import { clock } from '../support/nodes/built';
import { FakeHost, type HostRequest } from '../support/hosts/fake-host';
import * as links from '../support/cases/link-samples';
import { NODE as LINK_MANAGER, runNode } from '../support/nodes/link-node';
import { parametersFrom } from '../support/cases/parameters';
import * as reader from '../support/cases/reader-rows';
import { fixedResponses } from '../../cases/reader/vocabulary.ts';
import { NODE as NEWS_READER, runReader, SESSION, sessionCredential } from '../support/nodes/reader-node';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { engine } from '../support/nodes/suite-engine';

let host: FakeHost;
let time: VirtualClock;

beforeAll(async () => {
	host = await FakeHost.start(({ path }) => ({ body: responseTo(path) }));
	time = makeVirtual(clock);
});
afterAll(() => time.restore());

/** A successful response of both services. */
const responseTo = (path: string): object =>
	fixedResponses[path as keyof typeof fixedResponses] ?? {
		...{ error: 0, message: 'The service is done.', id: 7, data: {} },
		...{ code: 1, result: 'ok', authenticated: true, user_id: 7, stories: [] },
	};

/** Each parameter is tested with every eighth value, starting at different ones; with FAULT_RUNS, with all values. */
const ONE_IN = process.env.FAULT_RUNS === undefined ? 8 : 1;

interface Subject {
	node: string;
	resource: string;
	operation: string;
	/** The parameters of all forms: n8n requires every parameter that an expression may show. */
	names: string[];
	/** Valid values by parameter. */
	forms: Array<Record<string, unknown>>;
	fixed: Record<string, unknown>;
}

const subject = (
	node: string,
	{ resource, operation, fixed = {} }: Pick<Subject, 'resource' | 'operation'> & { fixed?: object },
	formOf: (n: number) => Record<string, unknown>,
): Subject => {
	const forms = [0, 1, 2].map(formOf);
	const names = [...new Set(forms.flatMap((form) => Object.keys(form)))];
	return { node, resource, operation, names, forms, fixed: { ...fixed } };
};

const subjects: Subject[] = [
	...links.cases.map((testCase) =>
		subject(LINK_MANAGER, testCase, (n) => links.sample(testCase, n, 'filled').form),
	),
	...reader.cases.map((testCase) => subject(NEWS_READER, testCase, (n) => testCase.item(n, 'wild').form)),
];

/** A valid form that has this parameter. */
const formWith = ({ forms }: Subject, parameter: string): Subject['forms'][number] | undefined =>
	forms.find((form) => parameter in form);

const templates = [linkTable, readerTable].flatMap((table: Table) =>
	Object.values(table).flatMap(({ operations }) => Object.values(operations).map(({ template }) => template)),
);
/** The paths to which an operation may send requests. */
const allowedPaths = new RegExp(
	`^(?:${[...templates, '/api/login']
		.map((template) => template.replace(/\/?\{\w+\?\}/g, '(?:/[^/]*)?').replace(/\{\w+\}/g, '[^/]+'))
		.join('|')})(?:\\?|$)`,
);
/** Parameters whose values always show the tested parameter. */
const ALWAYS_SET = ['resource', 'operation', '@version'];
/** Parameters that accept only listed values, or one format. */
const STRICT = ['number', 'boolean', 'dateTime', 'options'];
/** Texts in a request that show that a value was corrupted. */
const corrupted =
	/\[object|\bNaN\b|\bundefined\b|%EF%BF%BD|\ufffd|\\ud[89a-f]|Invalid DateTime|Invalid Date/i;

/** The parameters of an operation, including those in collections. */
const parametersOf = (subject: Subject): INodeProperties[] =>
	operationParameters(engine.nodeType(subject.node).description, subject).flatMap((property) =>
		property.type === 'collection' ? ((property.options ?? []) as INodeProperties[]) : [property],
	);

/** Runs an operation with each of the values in one parameter. @returns for each value the error message, or '' */
async function errorTexts(subject: Subject, parameter: string, values: unknown[]): Promise<string[]> {
	const { node, names } = subject;
	const form = formWith(subject, parameter);
	const { [parameter]: _, ...fixed } = subject.fixed;
	const { description } = engine.nodeType(node);
	const parameters = { ...parametersFrom(description, subject, names, { dataSource: 'json' }), ...fixed };
	const inputs = values.map((value) => ({ form: { ...form, [parameter]: value } }));
	const onError = 'continueRegularOutput';
	const credentials = sessionCredential(host.baseUrl, { sessionToken: SESSION });
	const run =
		node === LINK_MANAGER
			? await runNode(engine, host, parameters, inputs, { onError })
			: await runReader(engine, parameters, inputs, { onError, credentials });
	expect(run.error).toBeUndefined();
	const texts = values.map(() => '');
	for (const { json, pairedItem } of run.items(node === LINK_MANAGER ? 'Link Manager' : 'News Reader')) {
		const { item } = pairedItem as { item: number };
		if (typeof json.error === 'string') texts[item] = json.error;
	}
	return texts;
}

/** What is wrong with a result: an invalid value was accepted, or the error names no parameter. */
function defectOf(
	{ displayName, type, displayOptions }: INodeProperties,
	hostile: Hostile,
	text: string,
	labels: string[],
	isValid: boolean,
) {
	// A parameter that others hide is not read.
	const isShown = Object.keys(displayOptions?.show ?? {}).every((name) => ALWAYS_SET.includes(name));
	const isStrict = STRICT.includes(type) || (hostile.unusable && type !== 'fixedCollection');
	const fits = isValid || (hostile.for?.includes(type as 'number') ?? false);
	if (isShown && isStrict && !fits && !text.startsWith(displayName)) return text || 'accepted';
	const isNamed =
		text === '' ||
		labels.some((label) => text.startsWith(label)) ||
		/service|can’t be read|can't be read/i.test(text);
	return isNamed && text.length < 2100 ? undefined : text;
}

/** Whether a request is wrong: it has another path, or a corrupted value. */
const isWrongRequest = ({ url, body }: HostRequest): boolean =>
	!allowedPaths.test(url) || corrupted.test(`${url} ${body}`);

it.each(
	subjects.map((testCase): [string, Subject] => [`${testCase.resource}.${testCase.operation}`, testCase]),
)('%s', async (_, subject) => {
	const all = parametersOf(subject);
	const labels = all.map(({ displayName }) => displayName);
	const defects: string[] = [];
	// Data Source is the same for all items.
	const tested = all.filter(({ name }) => name !== 'dataSource' && formWith(subject, name));
	for (const [index, parameter] of tested.entries()) {
		host.requests.length = 0;
		const values = corpus.filter((_, n) => (n + index) % ONE_IN === 0);
		const texts = await errorTexts(
			subject,
			parameter.name,
			values.map(({ value }) => value),
		);
		const report = (what: string, text: string) =>
			defects.push(`${parameter.displayName}, ${what}: ${text.slice(0, 200)}`);
		texts.forEach((text, n) => {
			const { value } = values[n]!;
			const isValid = subject.forms.some((form) => form[parameter.name] === value);
			const defect = defectOf(parameter, values[n]!, text, labels, isValid);
			if (defect !== undefined) report(values[n]!.name, defect);
		});
		for (const { url, body } of host.requests.filter(isWrongRequest)) report('sent', `${url} ${body}`);
	}
	expect(defects).toEqual([]);
});

/** Values that an expression may return, but a parameter does not expect. */

interface Hostile {
	name: string;
	value: unknown;
	/** Parameter types that accept the value, in addition to text and JSON. All other types must refuse it. */
	for?: ReadonlyArray<'number' | 'boolean' | 'dateTime'>;
	/** No parameter may accept the value. */
	unusable?: true;
}

const withoutPrototype = Object.assign(Object.create(null) as object, { a: 1 });

const corpus: readonly Hostile[] = [
	{ name: 'an object', value: { a: 1 } },
	{ name: 'an empty object', value: {} },
	{ name: 'an object without a prototype', value: withoutPrototype },
	{ name: 'an array of objects', value: [{ a: 1 }] },
	{ name: 'an array of arrays', value: [[1]] },
	{ name: 'an invalid Date', value: new Date(Number.NaN), unusable: true },
	{ name: 'a lone surrogate', value: 'a\ud800b', unusable: true },
	{ name: 'a lone surrogate in an object', value: { a: ['\udc00'] }, unusable: true },
	{ name: 'one dot', value: '.' },
	{ name: 'two dots', value: '..' },
	{ name: 'two encoded dots', value: '%2e%2e' },
	{ name: 'a path to a parent folder', value: '../../admin' },
	{ name: 'a path to a parent folder with backslashes', value: '..\\..\\admin' },
	{ name: 'a path and a query', value: '7/delete?all=1#' },
	{ name: 'constructor', value: 'constructor' },
	{ name: '__proto__', value: '__proto__' },
	{ name: 'toString', value: 'toString' },
	{ name: 'NaN', value: Number.NaN },
	{ name: 'Infinity', value: Number.POSITIVE_INFINITY },
	{ name: 'a fraction', value: 1.5 },
	{ name: 'a huge number', value: 1e300 },
	{ name: 'the digits of a huge number', value: '123456789012345678901234567890' },
	{ name: 'a hexadecimal number', value: '0x10' },
	{ name: 'true', value: true, for: ['boolean'] },
	{ name: 'yes', value: 'yes' },
	{ name: 'a line break', value: 'a\r\nX-Header: b' },
	{ name: 'a null character', value: 'a\u0000b' },
	{ name: 'a percent sign', value: '100%' },
	{ name: 'an invalid percent-encoding', value: '%E0%A4%A' },
	{ name: 'a text with a number at its end', value: 'story 7' },
	{ name: 'a day that does not exist', value: '2026-02-30' },
	{ name: 'an hour that does not exist', value: '2026-02-03T25:00:00Z' },
	{ name: 'a month without a day', value: '2026-02' },
	{ name: 'a date followed by text', value: '2026-02-03T04:05:06Z, roughly' },
	{ name: 'a date with words', value: '3 February 2026' },
	{ name: 'markup', value: '<script>alert(1)</script>' },
	{ name: 'a megabyte', value: 'x'.repeat(1_000_000) },
];
