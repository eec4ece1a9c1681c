import type { LinkContext } from './context.ts';
import { Failure } from './failure.ts';

/** Messages for names and aliases in use. Real hosts report conflicts in the account's language, without an error code. */
const messages = {
	alias: {
		english: 'That alias is taken. Please choose another one.',
		german: 'Dieser Alias ist bereits vergeben. Bitte wählen Sie einen anderen.',
	},
	campaign: {
		english: 'You already have a campaign with that name.',
		german: 'Sie haben bereits eine Kampagne mit diesem Namen.',
	},
	slug: {
		english: 'That rotator slug is taken. Please choose another one.',
		german: 'Dieser Rotator-Slug ist bereits vergeben. Bitte wählen Sie einen anderen.',
	},
	domain: {
		english: 'That domain has been added already.',
		german: 'Diese Domain wurde bereits hinzugefügt.',
	},
	email: {
		english: 'That e-mail address is used by another account.',
		german: 'Diese E-Mail-Adresse wird von einem anderen Konto verwendet.',
	},
} as const;

export function conflict(context: LinkContext, name: keyof typeof messages): Failure {
	const { english, german } = messages[name];
	return new Failure(409, context.differs('translated-conflicts') ? german : english);
}
