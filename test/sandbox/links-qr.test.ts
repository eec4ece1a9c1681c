import sharp from 'sharp';
import QRCode from 'qrcode';
import { userAgents, openAsVisitor, withLinks } from '../support/clients/link-client.ts';

/** QR codes: images, targets of scans, and statistics. */

/** The colors of the image's modules, and how many modules differ from the expected code for the text. */
async function readImage(png: Buffer, text: string) {
	const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
	const { modules } = QRCode.create(text);
	const unit = info.width / (modules.size + 4);
	const colors = new Map<string, number>();
	let wrong = 0;
	for (let row = 0; row < modules.size; row++) {
		for (let column = 0; column < modules.size; column++) {
			const x = Math.floor((column + 2.5) * unit);
			const y = Math.floor((row + 2.5) * unit);
			const start = (y * info.width + x) * 3;
			const color = data.subarray(start, start + 3).join(',');
			colors.set(color, (colors.get(color) ?? 0) + 1);
			const expected = modules.get(row, column) ? '10,20,130' : '250,240,200';
			if (color !== expected) wrong++;
		}
	}
	return { colors: [...colors.keys()], wrong: wrong / modules.size ** 2, format: info };
}

const colors = { foreground: 'rgb(10,20,130)', background: 'rgb(250, 240, 200)' };

async function image(link: unknown, format: string): Promise<Buffer> {
	const response = await fetch(`${String(link)}/image.${format}`);
	expect(response.headers.get('content-type')).toBe(format === 'png' ? 'image/png' : 'image/svg+xml');
	return Buffer.from(await response.arrayBuffer());
}

test('encodes the link in the requested colors, as PNG and as SVG', async () => {
	await withLinks({}, async (api) => {
		const { link } = await api.add('/qr/add', { type: 'link', data: 'https://example.com/', ...colors });
		const png = await readImage(await image(link, 'png'), String(link));
		expect(png.wrong).toBe(0);
		expect(png.colors.sort()).toEqual(['10,20,130', '250,240,200']);
		const svg = await image(link, 'svg');
		expect(svg.toString()).toMatch(/^<svg [\s\S]*#faf0c8[\s\S]*#0a1482[\s\S]*<\/svg>\s*$/);
		expect((await readImage(await sharp(svg).png().toBuffer(), String(link))).wrong).toBe(0);

		await api.call('PUT', '/qr/1/update', { data: 'https://example.com/', foreground: 'rgb(0,0,0)' });
		expect((await image(link, 'svg')).toString()).toMatch(/#faf0c8[\s\S]*#000/);
		expect((await api.get('/qr/1')).data).toMatchObject({ clicks: 0 });
	});
});

test('counts a scan and redirects to the link', async () => {
	await withLinks({}, async (api) => {
		const { id, link } = await api.add('/qr/add', { type: 'link', data: 'https://example.com/menu' });
		for (const country of ['JP', 'JP', 'BR']) {
			const response = await openAsVisitor(String(link), {
				'cf-ipcountry': country,
				'user-agent': userAgents.iphone,
			});
			expect([response.status, response.headers.get('location')]).toEqual([302, 'https://example.com/menu']);
		}
		await openAsVisitor(String(link), {
			'user-agent': userAgents.windows,
			referer: 'https://example.org/page',
		});
		await openAsVisitor(`${String(link)}/image.png`);
		expect(await api.get(`/qr/${id}`)).toMatchObject({
			details: { scans: 4 },
			data: {
				clicks: 4,
				uniqueClicks: 2,
				topCountries: { Japan: '2', Brazil: '1', Unknown: '1' },
				topReferrers: { Direct: '3', 'https://example.org': '1' },
				topBrowsers: { Safari: '3', Chrome: '1' },
				topOs: { iOS: '3', Windows: '1' },
				socialCount: { facebook: 0, twitter: 0, instagram: 0 },
			},
		});
		expect(await api.entries('/qr', 'qrs')).toMatchObject([{ id, scans: 4 }]);
	});
});

test.each<[string, unknown, string, string]>([
	['text', 'Hello <you>', 'Hello <you>', 'Hello &lt;you&gt;'],
	['phone', '+49 (30) 1234', '+49 (30) 1234', 'href="tel:+49301234"'],
	[
		'email',
		{ email: 'a@example.com', subject: 'A b' },
		'a@example.com',
		'mailto:a@example.com?subject=A%20b',
	],
	['sms', { phone: '+49 30', message: 'Hi' }, '+49 30', 'sms:+4930?body=Hi'],
	['wifi', { ssid: 'My;net', encryption: 'WPA2', pass: 'a:b' }, 'My;net', 'WIFI:T:WPA;S:My\\;net;P:a\\:b;;'],
	[
		'vcard',
		{ fname: 'Ann', lname: 'Lee', phone: '1', email: 'a@example.com', site: 'https://example.com' },
		'Ann Lee',
		'BEGIN:VCARD\nVERSION:3.0\nN:Lee;Ann;;;\nFN:Ann Lee\nTEL:1\nEMAIL:a@example.com\nURL:https://example.com\nEND:VCARD',
	],
])('shows the content of a code of type %s', async (type, data, name, content) => {
	await withLinks({}, async (api) => {
		const { link } = await api.add('/qr/add', { type, data });
		expect(await api.entries('/qr', 'qrs')).toMatchObject([{ name }]);
		const response = await openAsVisitor(String(link));
		expect(response.status).toBe(200);
		expect(await response.text()).toContain(content);
		expect((await api.get('/qr/1')).data).toMatchObject({ clicks: 1 });
	});
});

describe('data as an array', () => {
	const cases: [string, unknown[], object][] = [
		['email', ['a@example.com', 'A b'], { email: 'a@example.com', subject: 'A b' }],
		['sms', ['+49 30', 'Hi'], { phone: '+49 30', message: 'Hi' }],
		['wifi', ['My;net', 'WPA2', 'a:b'], { ssid: 'My;net', encryption: 'WPA2', pass: 'a:b' }],
		['vcard', ['Ann', 'Lee', null, '1'], { fname: 'Ann', lname: 'Lee', phone: '1' }],
	];

	test.each(cases)('%s: accepts the values in order', (type, data, named) =>
		withLinks({}, async (api) => {
			const textOf = async (given: unknown) => {
				const { link } = await api.add('/qr/add', { type, data: given });
				return (await openAsVisitor(String(link))).text();
			};
			expect(await textOf(data)).toBe(await textOf(named));
		}),
	);

	test('validates the values like named ones, and rejects a text', () =>
		withLinks({}, async (api) => {
			const messageOf = async (type: string, data: unknown[]) =>
				(await api.call('POST', '/qr/add', { type, data })).body.message;
			expect(await messageOf('email', ['nobody'])).toBe('The field data.email must be an e-mail address.');
			expect(await messageOf('wifi', [])).toBe('The field data.ssid is required.');
			expect(await messageOf('text', ['Hello'])).toBe('The field data must be text.');
			await api.add('/qr/add', { type: 'sms', data: ['+49 30'] });
			await api.call('PUT', '/qr/1/update', { data: ['+49 31', 'Hi'] });
			expect(await api.entries('/qr', 'qrs')).toMatchObject([{ name: '+49 31' }]);
		}));
});
