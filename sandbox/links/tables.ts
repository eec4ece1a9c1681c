import type { ShortLinkSettings } from './url-body.ts';

/** SQLite has no booleans. */
export type Flag = 0 | 1;

interface Owned {
	id: number;
	account_id: number;
}

export interface AccountRow {
	id: number;
	api_key: string;
	email: string;
	username: string;
	password_hash: string;
	status: string;
	expires: string;
	registered: string;
}

interface DomainRow extends Owned {
	domain: string;
	redirectroot: string;
	redirect404: string;
}

interface OverlayRow extends Owned {
	type: string;
	name: string;
	message: string;
	label: string;
	link: string;
	date: string;
}

export interface CampaignRow extends Owned {
	name: string;
	/** Slug of the rotator's URL; null if the campaign has no rotator. */
	slug: string | null;
	public: Flag;
}

export interface ChannelRow extends Owned {
	name: string;
	description: string;
	color: string;
	starred: Flag;
}

export type ChannelItemType = 'links' | 'bio' | 'qr';

export interface ChannelItemRow {
	id: number;
	channel_id: number;
	type: ChannelItemType;
	item_id: number;
	date: string;
}

interface SplashRow extends Owned {
	name: string;
	title: string;
	message: string;
	date: string;
}

export interface BioRow extends Owned {
	name: string;
	slug: string;
	text: string;
	date: string;
}

interface PixelRow extends Owned {
	type: string;
	name: string;
	tag: string;
	date: string;
}

/** Records with counted visits. */
interface Visited extends Owned {
	clicks: number;
	unique_clicks: number;
}

export interface QrRow extends Visited {
	code: string;
	type: string;
	name: string;
	/** JSON. */
	data: string;
	background: string;
	foreground: string;
	date: string;
}

export interface UrlRow extends Visited {
	alias: string;
	domain_id: number | null;
	campaign_id: number | null;
	longurl: string;
	title: string;
	description: string;
	/** JSON of `ShortLinkSettings`. */
	settings: string;
	date: string;
}

export interface VisitRow {
	id: number;
	kind: 'qrs' | 'urls';
	target_id: number;
	visitor: string;
	country: string;
	referrer: string;
	browser: string;
	os: string;
	date: string;
}

export interface Tables {
	accounts: AccountRow;
	domains: DomainRow;
	overlays: OverlayRow;
	campaigns: CampaignRow;
	channels: ChannelRow;
	channel_items: ChannelItemRow;
	splash: SplashRow;
	bios: BioRow;
	pixels: PixelRow;
	qrs: QrRow;
	urls: UrlRow;
	visits: VisitRow;
}

/** Tables whose rows belong to an account. */
export type OwnedTable = {
	[Name in keyof Tables]: Tables[Name] extends Owned ? Name : never;
}[keyof Tables];

export function settingsOf(url: UrlRow): ShortLinkSettings {
	return JSON.parse(url.settings) as ShortLinkSettings;
}

const owned = `id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL REFERENCES links_accounts(id)`;
const visited = `${owned}, clicks INTEGER NOT NULL DEFAULT 0, unique_clicks INTEGER NOT NULL DEFAULT 0`;

/** Ids are never reused, so that clients cannot confuse a deleted record with a new one. */
export const schema = `
CREATE TABLE IF NOT EXISTS links_accounts (
	id INTEGER PRIMARY KEY AUTOINCREMENT, api_key TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE, username TEXT NOT NULL UNIQUE,
	password_hash TEXT NOT NULL, status TEXT NOT NULL, expires TEXT NOT NULL, registered TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS links_domains (
	${owned}, domain TEXT NOT NULL UNIQUE, redirectroot TEXT NOT NULL, redirect404 TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS links_overlays (
	${owned}, type TEXT NOT NULL, name TEXT NOT NULL, message TEXT NOT NULL, label TEXT NOT NULL, link TEXT NOT NULL, date TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS links_campaigns (
	${owned}, name TEXT NOT NULL COLLATE NOCASE, slug TEXT UNIQUE, public INTEGER NOT NULL, UNIQUE (account_id, name)
);
CREATE TABLE IF NOT EXISTS links_channels (
	${owned}, name TEXT NOT NULL, description TEXT NOT NULL, color TEXT NOT NULL, starred INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS links_channel_items (
	id INTEGER PRIMARY KEY AUTOINCREMENT, channel_id INTEGER NOT NULL REFERENCES links_channels(id) ON DELETE CASCADE,
	type TEXT NOT NULL, item_id INTEGER NOT NULL, date TEXT NOT NULL, UNIQUE (channel_id, type, item_id)
);
CREATE TABLE IF NOT EXISTS links_splash (
	${owned}, name TEXT NOT NULL, title TEXT NOT NULL, message TEXT NOT NULL, date TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS links_bios (
	${owned}, name TEXT NOT NULL, slug TEXT NOT NULL UNIQUE, text TEXT NOT NULL, date TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS links_pixels (
	${owned}, type TEXT NOT NULL, name TEXT NOT NULL, tag TEXT NOT NULL, date TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS links_qrs (
	${visited}, code TEXT NOT NULL UNIQUE, type TEXT NOT NULL, name TEXT NOT NULL, data TEXT NOT NULL,
	background TEXT NOT NULL, foreground TEXT NOT NULL, date TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS links_urls (
	${visited}, alias TEXT NOT NULL, domain_id INTEGER REFERENCES links_domains(id) ON DELETE SET NULL,
	campaign_id INTEGER REFERENCES links_campaigns(id) ON DELETE SET NULL,
	longurl TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, settings TEXT NOT NULL, date TEXT NOT NULL, UNIQUE (alias)
);
CREATE INDEX IF NOT EXISTS links_urls_of_campaign ON links_urls (campaign_id);
CREATE TABLE IF NOT EXISTS links_visits (
	id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, target_id INTEGER NOT NULL, visitor TEXT NOT NULL,
	country TEXT NOT NULL, referrer TEXT NOT NULL, browser TEXT NOT NULL, os TEXT NOT NULL, date TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS links_visits_of_target ON links_visits (kind, target_id, visitor);
`;
