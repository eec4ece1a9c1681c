import type { ICredentialDataDecryptedObject, INodeCredentialsDetails } from 'n8n-workflow';
import { n8n } from './core.ts';

export interface CredentialRecord {
	type: string;
	data: ICredentialDataDecryptedObject;
	/** Shown in the editor. Default: the id. */
	name?: string;
}

/** Credentials by id, in memory. Nodes also save their session cookies and OAuth tokens here. */
export class CredentialStore {
	readonly #records = new Map<string, Required<CredentialRecord>>();

	/** Adds or replaces the credential with this id. */
	set(id: string, { type, data, name = id }: CredentialRecord): void {
		this.#records.set(id, { type, name, data: structuredClone(data) });
	}

	/** Adds or replaces several, keyed by id. */
	setAll(records: Record<string, CredentialRecord> = {}): void {
		for (const [id, record] of Object.entries(records)) this.set(id, record);
	}

	/** A copy of the stored data. */
	data(id: string): ICredentialDataDecryptedObject {
		return structuredClone(this.#get(id).data);
	}

	/** The id of the credential that a node refers to by id, or by name if it has no id. */
	resolve(details: INodeCredentialsDetails, type: string): string {
		for (const [id, record] of this.#records) {
			if (record.type === type && (id === details.id || (!details.id && record.name === details.name))) {
				return id;
			}
		}
		throw new n8n.UserError(
			`Credential "${details.id ?? details.name}" of type "${type}" was not given to the engine.`,
		);
	}

	name(id: string): string {
		return this.#get(id).name;
	}

	type(id: string): string {
		return this.#get(id).type;
	}

	#get(id: string): Required<CredentialRecord> {
		const record = this.#records.get(id);
		if (!record) throw new n8n.UserError(`Credential "${id}" was not given to the engine.`);
		return record;
	}
}
