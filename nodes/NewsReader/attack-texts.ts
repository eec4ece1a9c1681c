import type { INodeProperties } from 'n8n-workflow';
import type { ApiRequest, FailureDetails } from '../runtime/api-types';
import { clock } from '../runtime/clock';
import { decoded } from '../runtime/file-names';
import { encodeForm } from '../runtime/transport/encoding';
import { quoted } from '../runtime/values';

/** Texts for which the service bans the sender's IP address for a day (read in its public code of 2026). */
const ATTACKS = [
	/\$\s*\{/,
	/<\s*script/i,
	/javascript\s*:/i,
	/on(?:error|load|click|mouseover)\s*=/i,
	/union\s+(?:all\s+)?select/i,
	/;\s*drop\s+table/i,
	/'\s*;\s*--/,
	/\.\.\/\.\.\//,
	/\0|%00/,
];
/** An attack only where an equals sign follows, as it does before every further parameter. */
const QUOTED_OR = /['"]\s*or\s*['"\d]/i;

const BAN_MS = 24 * 3_600_000;
export const BANNED_FOR = 'for 24 hours';
/** The message for a 403 with a JSON body. */
export const BANNED = `The service has banned the IP address of this n8n ${BANNED_FOR}`;
export const BANNED_ADVICE =
	'A request from this address contained a text that looks like an attack, such as <script. Wait until the ban ends: logging in again or another account does not help.';

export const bannedAdvice = (): string =>
	`The ban ends by ${new Date(clock.now() + BAN_MS).toISOString().slice(0, 16)}Z. ${BANNED_ADVICE}`;

/** The switch of the credentials, for servers without that scan. */
export const suspiciousTexts: INodeProperties = {
	displayName: 'Send Suspicious Texts',
	name: 'sendSuspiciousTexts',
	type: 'boolean',
	default: false,
	description:
		'Whether to send texts that NewsBlur takes for an attack, such as <code>&lt;script</code> or <code>${</code>. NewsBlur bans the IP address of the sender for 24 hours. Turn on only for your own server without that scan.',
};

/** The first parameter that contains an attack text, and that text. */
export function attackIn({
	path,
	query = {},
	body = {},
}: ApiRequest): { name: string; text: string } | undefined {
	const parameters = [['Path', decoded(path) ?? path] as const, ...encodeForm(query), ...encodeForm(body)];
	for (const [index, [name, value]] of parameters.entries()) {
		const isLast = index === parameters.length - 1;
		const beforeEquals = isLast ? value.slice(0, Math.max(value.lastIndexOf('='), 0)) : value;
		const sent = `${name}=${value}`;
		const matches = [...ATTACKS.map((attack) => attack.exec(sent)), QUOTED_OR.exec(beforeEquals)];
		const found = matches.find((match) => match !== null);
		if (found) return { name, text: found[0] };
	}
	return undefined;
}

export function attackFailure(request: ApiRequest): FailureDetails | undefined {
	const attack = attackIn(request);
	if (!attack) return undefined;
	// The only text in a path, apart from that of an API Request.
	const label = request.labels?.[attack.name === 'Path' ? 'username' : attack.name] ?? attack.name;
	return {
		message: `${label} contains ${quoted(attack.text)}, which the service takes for an attack`,
		description: `The request was not sent: the service would ban the IP address of this n8n ${BANNED_FOR}. Change the text. If your server does not scan texts, turn on Send Suspicious Texts in the credential.`,
		class: 'misconfigured',
	};
}
