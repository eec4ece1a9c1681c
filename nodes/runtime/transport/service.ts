import type { ICredentialDataDecryptedObject, IDataObject, INode } from 'n8n-workflow';
import type { Answer, Request } from '../exchange';
import type { ApiFailure } from '../errors/errors';
import type { Inputs, Operation, Table } from '../table/operation';
import type { Renewal } from './session';
import type { Encoded, NodeContext } from './http';

/** One service: its operations, and what makes its requests and answers different from another's. */
export interface Service {
	/** As it reads in a sentence: "the link management service". */
	name: string;
	/** Its operations, by resource. */
	table: Table;
	/** The version of its node from which on records have all members that they declare. */
	wholeRecordsSince: number;
	/** Set where changes that are made side by side can undo each other: those of one account go one at a time. */
	writesOneAtATime?: true;
	credentialType(node: INode): string;
	/** The texts of a credential that must never be seen. */
	secrets(credential: ICredentialDataDecryptedObject): string[];
	/** What tells the account of a credential from others on the same host. */
	identity(credential: ICredentialDataDecryptedObject, node: INode): string[];
	/** Where records tell moments by the clock of their host: its zone, as the credential has it, for a version of the node that tells it. */
	zone?(credential: ICredentialDataDecryptedObject, node: INode): string | undefined;
	/** Headers and body of a request. */
	encode(body: Record<string, unknown> | undefined): Encoded;
	/** Options of an item beside those of every service. */
	options?: Operation['form'];
	/** The JSON without the secrets that answers bring unasked, unless the user's options want them. */
	mask?(json: IDataObject, options: Inputs['form']): IDataObject;
	/** Why an answer is a failure; undefined if it is a success. */
	refusal(answer: Answer, request: Request): ApiFailure | undefined;
	/** The user whose data an answer holds; undefined if it doesn't tell. */
	user?(answer: Answer): string | undefined;
	/** Where the credential is a session that can end: how that shows, and how it is renewed. */
	session?: {
		gone(answer: Answer, request: Request): boolean;
		renewal(context: NodeContext, credentialType: string): Renewal;
		/** Whether an answer may be somebody else's without telling, and a request whose answer tells. */
		silent(answer: Answer, request: Request): boolean;
		proof: Request;
	};
}
