import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

/** How a credential connects: fields that all of them have, under the name that n8n's OAuth 2.0 reads as well. */
export const connectionFields: INodeProperties[] = [
	{
		displayName: 'Ignore SSL Issues (Insecure)',
		name: 'ignoreSSLIssues',
		type: 'boolean',
		default: false,
		description: 'Whether to connect even if SSL certificate validation is not possible',
	},
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		default: 300,
		description: 'Seconds to wait for an answer',
	},
];

/** The same as options of n8n's HTTP helper; credentials of before have neither. */
export const connectionOf = ({ ignoreSSLIssues, timeout }: ICredentialDataDecryptedObject) => ({
	...(ignoreSSLIssues === true && { skipSslCertificateValidation: true }),
	...(Number(timeout) > 0 && { timeout: Number(timeout) * 1000 }),
});
