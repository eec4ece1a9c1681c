import { ownList } from '../link-route.ts';

/** Records that the API lists but cannot create: CTA overlays and custom splash pages. */
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
