import { filledText, object, oneOf, optional } from '../fields.ts';
import { action, ownList } from '../link-route.ts';

const type = oneOf([
	'gtmpixel',
	'gapixel',
	'fbpixel',
	'adwordspixel',
	'linkedinpixel',
	'twitterpixel',
	'adrollpixel',
	'quorapixel',
	'pinterest',
	'bing',
	'snapchat',
	'reddit',
	'tiktok',
]);

export const pixelRoutes = [
	ownList({
		path: '/pixels',
		collection: 'pixels',
		table: 'pixels',
		present: ({ id, type, name, tag, date }) => ({ id, type, name, tag, date }),
	}),
	action({
		method: 'POST',
		path: '/pixel/add',
		body: object({ type, name: filledText, tag: filledText }),
		run: ({ store, account, context, body }) => ({
			id: store.insert('pixels', { account_id: account.id, ...body, date: context.now() }),
		}),
	}),
	action({
		method: 'PUT',
		path: '/pixel/:id/update',
		body: object({ name: optional(filledText), tag: filledText }),
		run(call) {
			const { id } = call.own('pixels', call.id(), 'Pixel');
			call.store.update('pixels', id, call.body);
			return { message: 'Pixel has been updated successfully.' };
		},
	}),
	action({
		method: 'DELETE',
		path: '/pixel/:id/delete',
		run(call) {
			const { id } = call.own('pixels', call.id(), 'Pixel');
			call.store.remove('pixels', { id });
			return { message: 'Pixel has been deleted successfully.' };
		},
	}),
];
