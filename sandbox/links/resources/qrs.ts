import { z } from 'zod/v4';
import { addresses } from '../public-addresses.ts';
import { removeFromChannels } from './channels.ts';
import { newCode, object, oneOf, optional, text, textThat } from '../fields.ts';
import type { LinkContext } from '../context.ts';
import { contentOf, qrTypes, readData, type QrData, type QrType, isRgb } from '../qr.ts';
import { action, ownList } from '../link-route.ts';
import type { QrRow } from '../tables.ts';
import { removeVisits, statistics } from '../visits.ts';

const color = textThat(isRgb, 'must be a color of the form rgb(r,g,b), each from 0 to 255');
const requiredData = z.unknown().refine((data) => data !== undefined && data !== null, 'is required');
const look = {
	name: optional(text),
	background: optional(color),
	foreground: optional(color),
	logo: optional(text),
};

export const qrRoutes = [
	ownList({
		path: '/qr',
		collection: 'qrs',
		table: 'qrs',
		present: (qr, { context }) => record(context, qr),
	}),
	action({
		method: 'GET',
		path: '/qr/:id',
		run(call) {
			const qr = call.own('qrs', call.id(), 'QR code');
			return { details: record(call.context, qr), data: statistics(call.context, 'qrs', qr) };
		},
	}),
	action({
		method: 'POST',
		path: '/qr/add',
		body: object({ type: oneOf(qrTypes), data: requiredData, ...look }),
		run(call) {
			const { store, account, context, body } = call;
			const qr = readData(body.type, body.data);
			const id = store.insert('qrs', {
				account_id: account.id,
				code: newCode((code) => store.find('qrs', { code }) !== undefined),
				type: qr.type,
				name: body.name || contentOf(qr).name,
				data: JSON.stringify(qr.data),
				background: body.background ?? 'rgb(255,255,255)',
				foreground: body.foreground ?? 'rgb(0,0,0)',
				date: context.now(),
			});
			return { id, link: addresses.qrLink(context, call.own('qrs', id, 'QR code')) };
		},
	}),
	action({
		method: 'PUT',
		path: '/qr/:id/update',
		body: object({ type: optional(oneOf(qrTypes)), data: requiredData, ...look }),
		run(call) {
			const { store, body } = call;
			const row = call.own('qrs', call.id(), 'QR code');
			const qr = readData(body.type ?? (row.type as QrType), body.data);
			store.update('qrs', row.id, {
				type: qr.type,
				name: body.name || nameAfter(row, qr),
				data: JSON.stringify(qr.data),
				background: body.background,
				foreground: body.foreground,
			});
			return { message: 'QR has been updated successfully.' };
		},
	}),
	action({
		method: 'DELETE',
		path: '/qr/:id/delete',
		run(call) {
			const { id } = call.own('qrs', call.id(), 'QR code');
			call.store.transaction(() => {
				removeFromChannels(call.context, 'qr', id);
				removeVisits(call.context, 'qrs', id);
				call.store.remove('qrs', { id });
			});
			return { message: 'QR Code has been deleted successfully.' };
		},
	}),
];

/** Keeps a name from the user; a generated name changes with the content. */
const nameAfter = (row: QrRow, qr: QrData): string =>
	row.name === contentOf({ type: row.type, data: JSON.parse(row.data) } as QrData).name
		? contentOf(qr).name
		: row.name;

function record(context: LinkContext, qr: QrRow): object {
	return {
		id: qr.id,
		link: addresses.qrLink(context, qr),
		scans: qr.clicks,
		name: qr.name,
		date: qr.date,
	};
}
