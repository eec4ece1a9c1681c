import { aText, anInteger, record, aMoment } from '../../runtime/table/record';
import { operation, resource, listedRecord } from '../../runtime/table/operation';
import { pages } from '../outputs';
import { toText } from '../../runtime/values';

export const ctaOverlay = resource(
	'CTA Overlay',
	{
		description: 'Calls to action shown over a link’s target',
		listing: { list: 'getAll', label: (entry) => toText(entry.name) },
	},
	{
		getAll: operation('GET /api/overlay', {
			description: 'List the calls to action that links can show',
			paging: pages('cta'),
			output: listedRecord(
				record({
					id: anInteger.described('ID of the overlay'),
					name: aText.described('Name of the overlay'),
					type: aText.described('Kind of the overlay'),
					date: aMoment.described('When the overlay was created'),
				}),
			),
		}),
	},
);

export const customSplash = resource(
	'Custom Splash',
	{
		description: 'Pages shown before a link’s target',
		listing: { list: 'getAll', label: (entry) => toText(entry.name) },
	},
	{
		getAll: operation('GET /api/splash', {
			action: 'Get many custom splash pages',
			description: 'List the pages that links can show first',
			paging: pages('splash'),
			output: listedRecord(
				record({
					id: anInteger.described('ID of the splash page'),
					name: aText.described('Name of the splash page'),
					date: aMoment.described('When the splash page was created'),
				}),
			),
		}),
	},
);
