import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';

/** A new or returned story. */
export interface HashEvent {
	/** The feed under which the list contains the story. */
	feed: string;
	hash: string;
	/** How often the story came back into the list; 0 for a new one. */
	returnCount: number;
	/** How often the story could not be read. */
	unreadable?: number;
	/** The group of similar stories that the story was processed with, and the day on which that group was emitted. */
	group?: { day: number; hashes: string[] };
}

/** A new story that passes the filters, and the response that contained it. */
export interface NewStory {
	event: HashEvent;
	story: IDataObject;
	response: ApiResponse;
}
