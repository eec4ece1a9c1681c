import { aText, anInteger, record, aMoment } from '../../runtime/table/record';
import { operation, resource, listedRecord } from '../../runtime/table/operation';
import { listedByName, pages } from '../outputs';

const members = (what: string) => ({
	id: anInteger.described(`ID of the ${what}`),
	name: aText.described(`Name of the ${what}`),
	date: aMoment.described(`When the ${what} was created`),
});

export const ctaOverlay = resource(
	'CTA Overlay',
	{ description: 'Calls to action shown over a link’s target', listing: listedByName },
	{
		getAll: operation('GET /api/overlay', {
			description: 'List the calls to action that links can show',
			paging: pages('cta'),
			output: listedRecord(record({ ...members('overlay'), type: aText.described('Kind of the overlay') })),
		}),
	},
);

export const customSplash = resource(
	'Custom Splash',
	{ description: 'Pages shown before a link’s target', listing: listedByName },
	{
		getAll: operation('GET /api/splash', {
			action: 'Get many custom splash pages',
			description: 'List the pages that links can show first',
			paging: pages('splash'),
			output: listedRecord(record(members('splash page'))),
		}),
	},
);
