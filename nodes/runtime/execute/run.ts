import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation, Resource } from '../table/operation';
import type { Settings } from '../table/settings';
import type { Memo } from '../transport/api';
import type { Client } from '../transport/client';
import type { Service } from '../transport/service';

/** What the items of one execution share. */
export interface Run {
	readonly context: IExecuteFunctions;
	readonly service: Service;
	readonly client: Client;
	readonly resource: Resource;
	readonly row: Operation;
	readonly settings: Settings;
	/** What the form holds at first, where a model fills it in. */
	readonly initial?: ReadonlyMap<string, unknown>;
	readonly memo: Memo;
	/** What the user is told once it is over. */
	readonly hints: Set<string>;
	/** An item failed, and no other is to be begun. */
	isStopped: boolean;
}
