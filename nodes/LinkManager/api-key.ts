import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** The key as it is sent. A pasted one may include its scheme, blanks, or characters that a header can't have. */
export const apiKeyOf = ({ apiKey }: ICredentialDataDecryptedObject): string =>
	String(apiKey ?? '')
		.replace(/[^\t -~\x80-\xff]/g, '')
		.trim()
		.replace(/^(bearer|token)\s+/i, '');
