import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** The key as it is sent. A pasted one may include its scheme, or blanks. */
export const apiKeyOf = ({ apiKey }: ICredentialDataDecryptedObject): string =>
	String(apiKey ?? '')
		.trim()
		.replace(/^(bearer|token)\s+/i, '');
