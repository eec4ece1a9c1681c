/** Sanitized HTML of stories: no scripts, absolute URLs. */
import { cleanHtml } from '../../sandbox/feeds/sanitize.ts';

const base = 'https://a.example/2026/story';

const dangerous = [
	'<script>alert(1)</script>',
	'<img src="x.png" onerror="alert(1)">',
	'<a href="javascript:alert(1)">x</a>',
	'<a href=" JaVaScRiPt:alert(1)">x</a>',
	'<a href="java\nscript:alert(1)">x</a>',
	'<a href="vbscript:alert(1)">x</a>',
	'<a href="data:text/html,<script>alert(1)</script>">x</a>',
	'<iframe src="https://evil.example/"></iframe>',
	'<object data="alert.swf"></object><embed src="alert.swf">',
	'<form action="/alert"><input name="alert"></form>',
	'<svg onload="alert(1)"><script>alert(1)</script></svg>',
	'<style>body { background: url(javascript:alert(1)) }</style>',
	'<p style="background:url(javascript:alert(1))">x</p>',
	'<img src="data:image/svg+xml;base64,PHN2Zz4alert">',
	'<scr<script>ipt>alert(1)</scr</script>ipt>',
	'<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
	'<base href="https://evil.example/alert"><meta http-equiv="refresh" content="0;url=alert">',
];

test.each(dangerous)('removes scripts from %s', (html) => {
	const clean = cleanHtml(`<p>before</p>${html}`, base).html;
	expect(clean).toContain('before');
	expect(clean).not.toMatch(
		/<(?:script|iframe|object|embed|form|input|svg|style|base|meta|math)\b|\son\w+=|style=|(?:javascript|vbscript):|data:/i,
	);
});

test('keeps the markup of stories', () => {
	const html =
		'<h2>Head</h2><p>a <strong>b</strong> <em>c</em><br /></p><ul><li>x</li></ul><blockquote>q</blockquote><pre><code>c</code></pre><figure><img src="https://a.example/i.png" alt="i" /><figcaption>f</figcaption></figure><table><tbody><tr><td>t</td></tr></tbody></table>';
	expect(cleanHtml(html, base).html).toBe(html);
});

test('makes URLs absolute', () => {
	const html = '<a href="../about">a</a><a href="#n">n</a><img src="//cdn.example/i.png">';
	expect(cleanHtml(html, base).html).toBe(
		'<a href="https://a.example/about">a</a><a href="https://a.example/2026/story#n">n</a><img src="https://cdn.example/i.png" />',
	);
});

test('lists images once, in order, without tracking pixels', () => {
	const { html, imageUrls } = cleanHtml(
		'<img src="/a.png"><img src="/b.png"><img src="/a.png"><img src="https://count.example/p.gif" width="1" height="1"><img alt="none">',
		base,
	);
	expect(imageUrls).toEqual(['https://a.example/a.png', 'https://a.example/b.png']);
	expect(html).not.toContain('count.example');
});
