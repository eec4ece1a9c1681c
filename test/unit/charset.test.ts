import { textOf } from '../../nodes/runtime/transport/charset';

/** "Ж" in windows-1251, "é" in ISO-8859-1, "日" in Shift_JIS. */
it.each([
	[[0xc6], 'text/html; charset=windows-1251', 'Ж'],
	[[0xe9], 'application/json;charset="ISO-8859-1"', 'é'],
	[[0x93, 0xfa], 'text/html; charset=Shift_JIS', '日'],
	[[0xc3, 0xa9], 'text/html', 'é'],
	[[0xc3, 0xa9], 'text/html; charset=unheard-of', 'é'],
	[[0xef, 0xbb, 0xbf, 0x7b], undefined, '{'],
	[[0xff, 0xfe, 0x41, 0x00], undefined, 'A'],
])('decodes %j as %s', (bytes, contentType, text) => {
	expect(textOf(Buffer.from(bytes), contentType)).toBe(text);
});

it.each([
	'<html><head><meta charset="windows-1251"></head>',
	'<META http-equiv="Content-Type" content="text/html; charset=windows-1251">',
	'<?xml version="1.0" encoding="windows-1251"?>',
])('decodes a document as it declares: %s', (start) => {
	const bytes = Buffer.concat([Buffer.from(start), Buffer.from([0xc6])]);
	expect(textOf(bytes, 'text/html')).toBe(`${start}Ж`);
});
