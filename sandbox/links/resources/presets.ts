import { ownList } from '../link-route.ts';

/** What can be listed but not made by the API: CTA overlays and custom splash pages. */
export const presetRoutes = [
	ownList({
		path: '/overlay',
		collection: 'cta',
		table: 'overlays',
		present: ({ id, type, name, date }) => ({ id, type, name, date }),
	}),
	ownList({
		path: '/splash',
		collection: 'splash',
		table: 'splash',
		present: ({ id, name, date }) => ({ id, name, date }),
	}),
];
