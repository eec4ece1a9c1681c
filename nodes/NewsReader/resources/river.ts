import { required, type Field } from '../../runtime/fields/field';
import { ids, integer } from '../../runtime/fields/kinds';
import { operation, resource } from '../../runtime/table/operation';
import { chosenFeeds, sendsChosenFeeds, whichFeeds } from '../fields/feedChoice';
import { storyForm } from '../fields/formats';
import { includeHidden, order, readFilter, searchQuery } from '../fields/storyFilters';
import { storyPages, storyPagesUpToLast } from '../lists';
import { sharedOutput } from '../model/sharedStories';
import { storyOutput } from '../model/stories';

const storiesPerMonth = integer('Infrequent Feeds Only (Stories per Month)', {
	parameter: 'infrequent',
	min: 1,
	default: 30,
	description: 'Only from feeds that publish fewer stories than this in a month',
});

/** A number of stories a month, or true for the service's own number, 30. */
const infrequent: Field<number | boolean | undefined> = {
	...storiesPerMonth,
	read: async (form, name) => {
		const raw = form.get(name);
		if (raw === true || raw === 'true') return true;
		return raw === false || raw === 'false' ? undefined : await storiesPerMonth.read(form, name);
	},
};

export const river = resource(
	'River',
	{ description: 'Stories of many feeds in one stream, as the reader’s start page shows them' },
	{
		getAll: operation('GET /reader/river_stories', {
			name: 'Get Many',
			action: 'Get many stories of the river',
			description: 'List the stories of all feeds, of some, or of a folder, newest first',
			form: { whichFeeds, ...storyForm },
			query: {
				feeds: chosenFeeds,
				order,
				read_filter: readFilter('unread'),
				include_hidden: includeHidden,
				query: searchQuery,
				infrequent,
			},
			check: sendsChosenFeeds('query', 'feeds'),
			postsLongQuery: true,
			paging: storyPagesUpToLast,
			output: storyOutput,
		}),
		getShared: operation('GET /social/river_stories', {
			name: 'Get Shared Stories',
			action: 'Get unread stories shared by users',
			description: 'List the unread stories that users you follow have shared',
			query: {
				social_user_ids: required(
					ids('Users', 'user', {
						description: 'Those whose shared stories are listed',
						parameter: 'socialUserIds',
					}),
				),
				order,
			},
			form: storyForm,
			paging: storyPages,
			output: sharedOutput,
		}),
	},
);
