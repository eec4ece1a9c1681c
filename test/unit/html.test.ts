/** Converts untrusted HTML to plain text without slowing down or failing. */
import { htmlToText } from '../../vendor/html';

const LEFT_OUT = '[Left out: too long or too deeply nested to convert]';

it('keeps paragraphs and omits links and images', () => {
	const html =
		'<h1>News</h1><p>One <a href="https://a.example">link</a><br>two</p><img src="x.png"><p>Three</p>';
	expect(htmlToText(html)).toBe('NEWS\n\nOne link\ntwo\n\nThree');
});

it.each(['div', 'b', 'table><tr><td', 'blockquote', 'ul><li', 'a href="x"'])(
	'stops at too many nested tags: %s',
	(tag) => {
		for (const depth of [3_000, 200_000]) {
			const text = htmlToText(`<p>before</p>${`<${tag}>`.repeat(depth)}deep`);
			expect(text).toMatch(/^before/);
			expect(text).toContain(LEFT_OUT);
		}
	},
);

it('converts long lists without closing tags, and many line breaks', () => {
	const text = htmlToText(`${'<br>'.repeat(10_000)}<ul>${'<li>member'.repeat(4_000)}</ul>after`);
	expect(text.match(/member/g)).toHaveLength(4_000);
	expect(text).toMatch(/after$/);
});

it('truncates a long text and marks the end', () => {
	const text = htmlToText(`<p>${'word '.repeat(500_000)}</p><p>end</p>`);
	expect(text).toMatch(/^word.*\s+\[Left out: too long or too deeply nested to convert\]$/);
	expect(htmlToText('<hr>'.repeat(60_000)).length).toBeLessThan(2_000_100);
});
