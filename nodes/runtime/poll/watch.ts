import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Api } from '../transport/api';

/** What a poll asks the service with, in the name of the node's one account. */
export type Source = Api;

/** One thing to hand over. */
export interface Item extends INodeExecutionData {
	json: IDataObject & { eventId: string };
}

/** What came of looking closer at events. */
export interface Taken<Event> {
	/** Events that are done with: handed over, or found not to be wanted. In their order. */
	done: Event[];
	/** Those of them that become items, in the form in which they can be handed over again. */
	handed: Event[];
	items: Item[];
}

/**
 * One way to see what is new: what to ask, what it says, and what to remember. `Marks` is what is remembered between
 * polls, `Survey` what one poll saw, `Event` one new thing; marks and events are JSON. Everything but `survey`,
 * `take` and `repeat` is pure.
 */
export interface Watch<Marks = unknown, Survey = unknown, Event = unknown> {
	/** Marks as they were saved; undefined if they can't be read. */
	read(saved: unknown): Marks | undefined;
	/** Asks what there is; without marks, as much of it as a baseline needs. */
	survey(marks: Marks | undefined, source: Source): Promise<Survey>;
	/** Marks that know all of a survey but the newest `spare` events; with Infinity, nothing of it. */
	baseline(survey: Survey, spare: number): Marks;
	/** The same for a finite `spare`, where telling the newest wanted events takes a closer look. */
	latest?(survey: Survey, spare: number, source: Source): Promise<Marks>;
	/** What of a survey the marks don't know, oldest first; and the marks after having seen it, which still don't know that. */
	detect(marks: Marks, survey: Survey): { events: Event[]; marks: Marks };
	/** Looks closer at the first events until there are `maximum` items, or time or the rate limit run out. */
	take(events: Event[], maximum: number, source: Source, marks: Marks): Promise<Taken<Event>>;
	/** Marks that know these events as well. */
	advance(marks: Marks, done: Event[]): Marks;
	/** Items of events that were handed over before, with the same event ids. */
	repeat(handed: Event[], source: Source): Promise<Item[]>;
	/** Why a survey holds only part of what there is, if something failed. */
	fault?(survey: Survey): unknown;
	/** Completes the marks of a first poll that hands nothing over. */
	prime?(marks: Marks, survey: Survey, source: Source): Promise<Marks>;
	/** Marks with which a test run finds something to show. */
	sample?(survey: Survey): Marks;
}
