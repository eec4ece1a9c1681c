/** Any value in any parameter of any operation: it is sent as it is, or refused by an error that names the parameter. */
import type { INodeProperties } from 'n8n-workflow';
import { operationParameters } from '../../engine/form.ts';
import type { Engine } from '../../engine/index.ts';
import type { Table } from '../../nodes/runtime/table/operation';
import { linkTable, readerTable } from '../../nodes/tables';
import { clock } from '../support/nodes/built';
import { FakeHost, type HostRequest } from '../support/hosts/fake-host';
import * as links from '../support/cases/link-samples';
import { NODE as LINK_MANAGER, runNode } from '../support/nodes/link-node';
import { startEngine } from '../support/nodes/node';
import { parametersFrom } from '../support/cases/parameters';
import * as reader from '../support/cases/reader-cases';
import { fixedResponses } from '../support/cases/reader-cases/vocabulary';
import { NODE as NEWS_READER, runReader, SESSION, sessionCredential } from '../support/nodes/reader-node';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { corpus, type Hostile } from './support/corpus';

let engine: Engine;
let host: FakeHost;
let time: VirtualClock;

beforeAll(async () => {
	engine = await startEngine();
	host = await FakeHost.start(({ path }) => ({ body: answerTo(path) }));
	time = makeVirtual(clock);
});
afterAll(async () => {
	time.restore();
	await host.stop();
});

/** Looks enough like a success of either service. */
const answerTo = (path: string): object =>
	fixedResponses[path as keyof typeof fixedResponses] ?? {
		...{ error: 0, message: 'The service is done.', id: 7, data: {} },
		...{ code: 1, result: 'ok', authenticated: true, user_id: 7, stories: [] },
	};

/** Each parameter gets a sample of the values, each a different one; with FAULT_RUNS, each gets all. */
const ONE_IN = process.env.FAULT_RUNS === undefined ? 8 : 1;

interface Subject {
	node: string;
	resource: string;
	operation: string;
	/** Every parameter that any of the forms has: n8n requires all that an expression may show. */
	names: string[];
	/** Values for parameters, which work. */
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
	...links.cases.map((of) => subject(LINK_MANAGER, of, (n) => links.sample(of, n, 'filled').form)),
	...reader.cases.map((of) => subject(NEWS_READER, of, (n) => of.item(n, 'wild').form)),
];

/** A form that works and has this parameter, if there is one. */
const formWith = ({ forms }: Subject, parameter: string): Subject['forms'][number] | undefined =>
	forms.find((form) => parameter in form);

const templates = [linkTable, readerTable].flatMap((table: Table) =>
	Object.values(table).flatMap(({ operations }) => Object.values(operations).map(({ template }) => template)),
);
/** The addresses to which an operation may send requests, with any value. */
const addresses = new RegExp(
	`^(?:${[...templates, '/api/login']
		.map((template) => template.replace(/\/?\{\w+\?\}/g, '(?:/[^/]*)?').replace(/\{\w+\}/g, '[^/]+'))
		.join('|')})(?:\\?|$)`,
);
/** Values of other parameters with which a parameter is shown. */
const SHOWN_BY = ['resource', 'operation', '@version'];
/** Parameters that accept only listed values, or one format. */
const STRICT = ['number', 'boolean', 'dateTime', 'options'];
/** Texts that no value may become in a request. */
const mangled = /\[object|\bNaN\b|\bundefined\b|%EF%BF%BD|\ufffd|\\ud[89a-f]|Invalid DateTime|Invalid Date/i;

/** The parameters that an operation shows, those of its collections among them. */
const parametersOf = (subject: Subject): INodeProperties[] =>
	operationParameters(engine.nodeType(subject.node).description, subject).flatMap((property) =>
		property.type === 'collection' ? ((property.options ?? []) as INodeProperties[]) : [property],
	);

/** Runs an operation with each of some values in one parameter. @returns what each came to: an error's text, or nothing */
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

/** What is wrong with an error text: a value is accepted that cannot be right, or an error names no parameter. */
function faultOf(
	{ displayName, type, displayOptions }: INodeProperties,
	hostile: Hostile,
	text: string,
	labels: string[],
	isUsual: boolean,
) {
	// One that others hide is not read.
	const isShown = Object.keys(displayOptions?.show ?? {}).every((each) => SHOWN_BY.includes(each));
	const isStrict = STRICT.includes(type) || (hostile.unusable && type !== 'fixedCollection');
	const fits = isUsual || (hostile.for?.includes(type as 'number') ?? false);
	if (isShown && isStrict && !fits && !text.startsWith(displayName)) return text || 'taken';
	const isNamed =
		text === '' ||
		labels.some((label) => text.startsWith(label)) ||
		/service|can’t be read|can't be read/i.test(text);
	return isNamed && text.length < 2100 ? undefined : text;
}

/** What is wrong with a request: it goes to another address, or a value in it was changed. */
const isAstray = ({ url, body }: HostRequest): boolean =>
	!addresses.test(url) || mangled.test(`${url} ${body}`);

it.each(subjects.map((of): [string, Subject] => [`${of.resource}.${of.operation}`, of]))(
	'%s',
	async (_, subject) => {
		const all = parametersOf(subject);
		const labels = all.map(({ displayName }) => displayName);
		const wrong: string[] = [];
		// Where the data of a code comes from is chosen for all items.
		const tried = all.filter(({ name }) => name !== 'dataSource' && formWith(subject, name));
		for (const [index, parameter] of tried.entries()) {
			host.requests.length = 0;
			const values = corpus.filter((_, n) => (n + index) % ONE_IN === 0);
			const texts = await errorTexts(
				subject,
				parameter.name,
				values.map(({ value }) => value),
			);
			const say = (what: string, text: string) =>
				wrong.push(`${parameter.displayName}, ${what}: ${text.slice(0, 200)}`);
			texts.forEach((text, n) => {
				const { value } = values[n]!;
				const isUsual = subject.forms.some((form) => form[parameter.name] === value);
				const fault = faultOf(parameter, values[n]!, text, labels, isUsual);
				if (fault !== undefined) say(values[n]!.name, fault);
			});
			for (const { url, body } of host.requests.filter(isAstray)) say('sent', `${url} ${body}`);
		}
		expect(wrong).toEqual([]);
	},
);
