import iconv from 'iconv-lite';
import { decodeText, parseFeed } from '../../sandbox/feeds/index.ts';

const title = 'Grüße, naïve café – “quoted” €';

function document(text: string, declared?: string) {
	const prolog = declared ? `<?xml version="1.0" encoding="${declared}"?>` : '<?xml version="1.0"?>';
	return `${prolog}<rss version="2.0"><channel><title>${text}</title></channel></rss>`;
}

function titleOf(bytes: Uint8Array, contentType?: string) {
	return parseFeed(bytes, contentType, 'https://a.example/').title;
}

const undeclared = {
	'windows-1251': 'Сегодня в порту было тихо, корабли ждали прилива.',
	'koi8-r': 'Сегодня в порту было тихо, корабли ждали прилива.',
	'windows-1250': 'Dziś w porcie było cicho, statki czekały na przypływ.',
	'windows-1253': 'Καλημέρα από το λιμάνι της πόλης',
	shift_jis: '今日は港がとても静かで、船は潮を待っていました。',
	'euc-jp': '今日は港がとても静かで、船は潮を待っていました。',
	gb2312: '今天港口很安静，船只停靠在码头等待涨潮。',
	'euc-kr': '오늘 항구는 조용했고 배들은 밀물을 기다렸다.',
};

const cases: [string, Buffer, string | undefined, string][] = [
	['UTF-8, nothing declared', Buffer.from(document(title)), undefined, title],
	['UTF-8 with a mark', Buffer.from(`\ufeff${document(title)}`), undefined, title],
	[
		'windows-1252 by the prolog',
		iconv.encode(document(title, 'windows-1252'), 'windows-1252'),
		undefined,
		title,
	],
	[
		'windows-1252 called iso-8859-1',
		iconv.encode(document(title, 'ISO-8859-1'), 'windows-1252'),
		'application/xml',
		title,
	],
	[
		'windows-1252 by the header',
		iconv.encode(document(title), 'windows-1252'),
		"text/xml; charset='windows-1252'",
		title,
	],
	['windows-1252, nothing declared', iconv.encode(document(title), 'windows-1252'), undefined, title],
	[
		'windows-1252 called UTF-8',
		iconv.encode(document(title, 'utf-8'), 'windows-1252'),
		'text/xml; charset=utf-8',
		title,
	],
	[
		'UTF-8 called latin1 by the server',
		Buffer.from(document(title, 'UTF-8')),
		'text/xml; charset=iso-8859-1',
		title,
	],
	['UTF-8 called UTF-16 by the prolog', Buffer.from(document(title, 'utf-16')), undefined, title],
	['ISO-8859-15', iconv.encode(document('Œuvre €', 'iso-8859-15'), 'iso-8859-15'), undefined, 'Œuvre €'],
	['ISO-8859-2', iconv.encode(document('Žluťoučký', 'iso-8859-2'), 'iso-8859-2'), undefined, 'Žluťoučký'],
	['Shift_JIS', iconv.encode(document('日本の天気', 'Shift_JIS'), 'shift_jis'), undefined, '日本の天気'],
	['EUC-JP', iconv.encode(document('日本の天気', 'euc-jp'), 'euc-jp'), undefined, '日本の天気'],
	['GB2312', iconv.encode(document('你好', 'gb2312'), 'gb2312'), undefined, '你好'],
	['KOI8-R', iconv.encode(document('Погода'), 'koi8-r'), 'text/xml; charset=koi8-r', 'Погода'],
	['windows-1251', iconv.encode(document('Погода', 'windows-1251'), 'windows-1251'), undefined, 'Погода'],
	[
		'UTF-16LE with a mark',
		iconv.encode(document(title, 'utf-16'), 'utf-16le', { addBOM: true }),
		undefined,
		title,
	],
	[
		'UTF-16BE with a mark',
		iconv.encode(document(title, 'utf-16'), 'utf-16be', { addBOM: true }),
		undefined,
		title,
	],
	['UTF-16LE without a mark', iconv.encode(document(title, 'utf-16'), 'utf-16le'), undefined, title],
	['UTF-16BE without a mark', iconv.encode(document(title, 'utf-16'), 'utf-16be'), undefined, title],
	...Object.entries(undeclared).map(([encoding, text]): [string, Buffer, string | undefined, string] => [
		`${encoding}, nothing declared`,
		iconv.encode(document(text), encoding),
		undefined,
		text,
	]),
	['an unknown name', Buffer.from(document(title, 'x-nonsense')), 'text/xml; charset=also-nonsense', title],
];

test.each(cases)('%s', (_, bytes, contentType, expected) => {
	expect(titleOf(bytes, contentType)).toBe(expected);
});

test('reads the encoding of a page from its meta element', () => {
	const page = iconv.encode(
		'<html><head><meta charset="shift_jis"></head><body>天気</body></html>',
		'shift_jis',
	);
	expect(decodeText(page)).toContain('天気');
});
