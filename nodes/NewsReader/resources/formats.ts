import { choice } from '../../runtime/fields/kinds';
import type { Output, Paging, Parts } from '../../runtime/table/operation';

/** In which form the social calls answer. */
export const format = choice(
	'Answer Format',
	{ html: 'HTML', json: 'JSON' },
	{
		parameter: 'answerFormat',
		default: 'json',
		description: 'Whether the service answers with data or with a piece of a web page',
	},
);

/** Lets an answer be HTML where the user asked for it. */
export const acceptsFormat = ({ query, body }: Pick<Parts, 'query' | 'body'>): Partial<Parts> =>
	query.format === 'html' || body.format === 'html' ? { accepts: 'anything' } : {};

/** The same output, or `html` where that was asked for. */
export const orHtml = ({ kind, pick, simple }: Output): Output => ({
	kind,
	pick: (answer, path) => (answer.json === undefined ? { html: answer.text } : pick(answer, path)),
	simple: simple && {
		kind: simple.kind,
		of: (record, answer, form) => (answer.json === undefined ? record : simple.of(record, answer, form)),
	},
});

/** The same pages; where HTML was asked for, each is one record. */
export const orHtmlPages = (paging: Paging): Paging => ({
	...paging,
	identity: (record) => JSON.stringify(record),
	read: (answer, page, refuse, query) => {
		if (answer.json !== undefined) return paging.read(answer, page, refuse, query);
		const isEmpty = answer.text.trim() === '';
		return { records: isEmpty ? [] : [{ html: answer.text }], more: !isEmpty };
	},
});
