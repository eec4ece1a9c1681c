import { html } from '../shared/html.ts';
import type { Service } from '../shared/service.ts';
import { linkDifferences } from './differences.ts';

export const linkService: Service = {
	name: 'links',
	title: 'Link service',
	prefix: '/links',
	differences: linkDifferences,
	start() {
		return { overview: () => html`` };
	},
};
