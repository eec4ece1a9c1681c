import { addresses } from '../public-addresses.ts';
import { newCode, filledText, flag, object, optional, text, textThat } from '../fields.ts';
import { conflict } from '../responses.ts';
import type { LinkContext } from '../context.ts';
import { action, ownList, type Call } from '../link-route.ts';
import type { CampaignRow } from '../tables.ts';

const slug = textThat(
	(value) => /^[\w-]{1,50}$/.test(value),
	'must be 1 to 50 letters, digits, hyphens or underscores',
);
const optionalFields = { slug: optional(slug), public: optional(flag) };

export const campaignRoutes = [
	ownList({
		path: '/campaigns',
		collection: 'campaigns',
		table: 'campaigns',
		// In the interface document, an entry may have its name under `domain`.
		present: (campaign, call) => record(call, campaign, campaign.id % 2 === 0 ? 'domain' : 'name'),
	}),
	action({
		method: 'POST',
		path: '/campaign/add',
		body: object({ name: optional(text), ...optionalFields }),
		run(call) {
			const { store, account, context, body } = call;
			const name =
				context.storedName(body.name ?? '') ||
				`Campaign ${newCode((code) => isNameTaken(call, `Campaign ${code}`))}`;
			refuseTaken(call, { name, slug: body.slug });
			const id = store.insert('campaigns', {
				account_id: account.id,
				name,
				slug: body.slug ?? null,
				public: body.public ? 1 : 0,
			});
			return written(call, id);
		},
	}),
	action({
		method: 'PUT',
		path: '/campaign/:id/update',
		body: object({ name: filledText, ...optionalFields }),
		run(call) {
			const { store, context, body } = call;
			const { id } = call.own('campaigns', call.id(), 'Campaign');
			const name = context.storedName(body.name);
			refuseTaken(call, { name, slug: body.slug }, id);
			store.update('campaigns', id, {
				name,
				slug: body.slug,
				public: body.public === undefined ? undefined : body.public ? 1 : 0,
			});
			return written(call, id);
		},
	}),
	action({
		method: 'DELETE',
		path: '/campaign/:id/delete',
		run(call) {
			const { id } = call.own('campaigns', call.id(), 'Campaign');
			call.store.remove('campaigns', { id });
			return { message: 'Campaign has been deleted successfully.' };
		},
	}),
	action({
		method: 'POST',
		path: '/campaign/:campaignid/assign/:linkid',
		run(call) {
			const campaign = call.own('campaigns', call.id('campaignid'), 'Campaign');
			const url = call.own('urls', call.id('linkid'), 'Link');
			call.store.update('urls', url.id, { campaign_id: campaign.id });
			return { message: 'Link successfully added to the campaign.' };
		},
	}),
];

function written(call: Call<unknown>, id: number): object {
	const campaign = call.own('campaigns', id, 'Campaign');
	return record(call, campaign, call.context.isReal ? 'campaign' : 'domain');
}

function record(
	{ context, account }: { context: LinkContext; account: { username: string } },
	campaign: CampaignRow,
	nameKey: 'name' | 'domain' | 'campaign',
): object {
	return {
		id: campaign.id,
		[nameKey]: campaign.name,
		public: campaign.public === 1,
		rotator: addresses.rotator(context, campaign) ?? false,
		list: addresses.campaignList(context, account.username, campaign),
	};
}

/** Rejects a name that the account already has, or a rotator slug that the host already has. */
function refuseTaken(call: Call<unknown>, given: { name: string; slug?: string }, id?: number): void {
	if (isNameTaken(call, given.name, id)) throw conflict('That campaign name');
	const holder = given.slug === undefined ? undefined : call.store.find('campaigns', { slug: given.slug });
	if (holder !== undefined && holder.id !== id) throw conflict('That rotator slug');
}

function isNameTaken({ store, account }: Call<unknown>, name: string, id?: number): boolean {
	const holder = store.find('campaigns', { account_id: account.id, name });
	return holder !== undefined && holder.id !== id;
}
