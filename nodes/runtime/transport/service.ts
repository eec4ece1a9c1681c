import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INode,
	IPollFunctions,
} from 'n8n-workflow';
import type { ApiResponse, ApiRequest, FailureDetails } from '../api-types';
import type { Member } from '../errors/secrets';
import type { Inputs, Table } from '../table/operation';
import type { Renewal } from './login';

export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface Encoded {
	headers: IDataObject;
	body?: string | FormData;
}

/** What a credential says of its account. Names stay the same when secrets change; a credential may have none. */
export interface Identity {
	names: string[];
	secrets: string[];
}

/** One service: its operations, and the rules for its requests and responses. */
export interface Service {
	/** The service's name in a sentence: "the link management service". */
	name: string;
	table: Table;
	/** Set if concurrent writes can undo each other: then an account's writes run one at a time. */
	writesOneAtATime?: true;
	credentialType(node: INode): string;
	/** The texts of a credential that must not appear in messages. */
	secrets(credential: ICredentialDataDecryptedObject): string[];
	/** Paths with rate limits of their own, which the service doesn't report. */
	limitedApart?: readonly LimitedApart[];
	/** Why a request must not be sent with this credential. */
	rejects?(request: ApiRequest, credential: ICredentialDataDecryptedObject): FailureDetails | undefined;
	/** Distinguishes the account of a credential from others on the same host. */
	identity(credential: ICredentialDataDecryptedObject, node: INode): Identity;
	/** The time zone of the host's clock, from the credential; for hosts whose dates have no zone. */
	zone?(credential: ICredentialDataDecryptedObject): string | undefined;
	encode(body: Record<string, unknown> | undefined): Encoded;
	/** Whether a member of a record holds a secret of the account. `params` are those of the row. */
	isSecretMember?(member: Member, params: Inputs['params']): boolean;
	/** What a redirect that is not followed means, if it is not a wrong Base URL. */
	redirected?(response: ApiResponse, request: ApiRequest): FailureDetails | undefined;
	/** Why a response is a failure; undefined if it is a success. */
	errorIn(response: ApiResponse, request: ApiRequest): FailureDetails | undefined;
	/** The user whose data a response contains; undefined if it doesn't say. */
	user?(response: ApiResponse): string | undefined;
	session?: SessionRules;
}

/** A path with a rate limit of its own: a refusal there delays only requests to that path. */
export interface LimitedApart {
	/** If it ends with `/`, it includes all paths below it. */
	path: string;
	/** How long the next request waits after a success, in milliseconds. */
	intervalMs?: number;
}

/** The rate limit of its own to which a path belongs. */
export const limitOf = ({ limitedApart: limits = [] }: Service, path: string): LimitedApart | undefined =>
	limits.find((limit) => path === limit.path || (limit.path.endsWith('/') && path.startsWith(limit.path)));

/** How to recognize that a session has expired, and how to renew it. */
export interface SessionRules {
	expired(response: ApiResponse, request: ApiRequest): boolean;
	renewal(context: NodeContext, credentialType: string): Renewal;
	/** Whether a response leaves open if the session has expired. Then `sessionCheck` is sent, whose response shows it. */
	needsSessionCheck(response: ApiResponse, request: ApiRequest): boolean;
	sessionCheck: ApiRequest;
}
