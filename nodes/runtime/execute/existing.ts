import type { IDataObject } from 'n8n-workflow';
import { choice } from '../fields/kinds';
import type { Existing } from '../table/operation';

/** What the form offers to do about a record that exists already. */
export const ifExists = ({ sameness }: Existing) =>
	choice(
		'If Exists',
		{
			create: { name: 'Create Another', description: 'Create without looking' },
			fail: { name: 'Fail', description: `Stop with an error if there is one ${sameness}` },
			return: {
				name: 'Return Existing',
				description: `Return the one ${sameness}, if there is one`,
			},
		},
		{
			default: 'create',
			description: 'What to do when it already exists, so that a workflow can run again',
		},
	);

/** What creating came to: the answer's record, or one that was there before. */
export type Created = { record: IDataObject; existed: boolean };

/** How records are looked up and made; the run provides it. */
export interface Maker {
	list(search: Record<string, unknown>): AsyncIterable<IDataObject>;
	/** Creates; `refused` is the error if the service itself said no. */
	create(): Promise<{ record: IDataObject } | { refused: Error }>;
}

/**
 * Remembers, for one run of one node, which records exist: so that items that want the same thing,
 * even at the same time, make it once.
 */
export class ExistingRecords {
	/** What is wanted, by what identifies it: settled or still on its way. */
	private readonly wanted = new Map<string, Promise<Created>>();
	private everything: Promise<Map<string, IDataObject>> | undefined;

	constructor(private readonly existing: Existing) {}

	/** The existing record, or a newly created one. Items with the same identity share one. */
	async ensure(body: Record<string, unknown>, maker: Maker): Promise<Created> {
		const identity = this.existing.wanted(body);
		if (identity === undefined) return await created(maker);
		for (let underway = this.wanted.get(identity); underway; underway = this.wanted.get(identity)) {
			const settled = await underway.catch(() => undefined);
			if (settled) return { record: settled.record, existed: true };
		}
		const making = this.findOrCreate(identity, body, maker);
		this.wanted.set(identity, making);
		making.catch(() => this.wanted.delete(identity));
		return await making;
	}

	private async findOrCreate(
		identity: string,
		body: Record<string, unknown>,
		maker: Maker,
	): Promise<Created> {
		const found = await this.find(identity, body, maker);
		if (found) return { record: found, existed: true };
		const made = await maker.create();
		if ('record' in made) return { record: made.record, existed: false };
		const conflict = this.existing.conflicting?.(body);
		if (conflict) {
			for await (const record of maker.list(conflict.search)) {
				if (conflict.matches(record)) return { record, existed: true };
			}
		}
		throw made.refused;
	}

	private async find(
		identity: string,
		body: Record<string, unknown>,
		maker: Maker,
	): Promise<IDataObject | undefined> {
		const { search, present } = this.existing;
		if (search) {
			for await (const record of maker.list(search(body))) {
				if (present(record) === identity) return record;
			}
			return undefined;
		}
		const everything = (this.everything ??= this.index(maker));
		everything.catch(() => (this.everything = undefined));
		return (await everything).get(identity);
	}

	private async index(maker: Maker): Promise<Map<string, IDataObject>> {
		const index = new Map<string, IDataObject>();
		for await (const record of maker.list({})) {
			const identity = this.existing.present(record);
			if (identity !== undefined && !index.has(identity)) index.set(identity, record);
		}
		return index;
	}
}

async function created(maker: Maker): Promise<Created> {
	const made = await maker.create();
	if ('refused' in made) throw made.refused;
	return { record: made.record, existed: false };
}
