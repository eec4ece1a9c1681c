/**
 * Stand-ins for the core nodes of the example workflows, with n8n's type names.
 *
 * The real nodes are in n8n-nodes-base: 82 MB and about eighty dependencies for seven small nodes. Each stand-in does
 * the same as the real node for the parameters that it declares, and refuses all others, so that a workflow that runs
 * here does the same in n8n.
 */
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { filter } from './filter.ts';
import { noOp } from './no-op.ts';
import { oAuth2Api } from './oauth2-api.ts';
import { set } from './set.ts';
import { splitOut } from './split-out.ts';
import { stickyNote } from './sticky-note.ts';
import { manualTrigger, scheduleTrigger } from './triggers.ts';

export const standInNodes: Record<string, INodeType> = {
	'n8n-nodes-base.filter': filter,
	'n8n-nodes-base.manualTrigger': manualTrigger,
	'n8n-nodes-base.noOp': noOp,
	'n8n-nodes-base.scheduleTrigger': scheduleTrigger,
	'n8n-nodes-base.set': set,
	'n8n-nodes-base.splitOut': splitOut,
	'n8n-nodes-base.stickyNote': stickyNote,
};

export const standInCredentials: ICredentialType[] = [oAuth2Api];
