import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { FeedFailure } from './failures.ts';

/** Address ranges of this machine, of local networks, and without public hosts (IANA registries). */
const NOT_PUBLIC: { network: string; prefix: number; family: 'ipv4' | 'ipv6' }[] = [
	{ network: '0.0.0.0', prefix: 8, family: 'ipv4' },
	{ network: '10.0.0.0', prefix: 8, family: 'ipv4' },
	{ network: '100.64.0.0', prefix: 10, family: 'ipv4' },
	{ network: '127.0.0.0', prefix: 8, family: 'ipv4' },
	{ network: '169.254.0.0', prefix: 16, family: 'ipv4' },
	{ network: '172.16.0.0', prefix: 12, family: 'ipv4' },
	{ network: '192.0.0.0', prefix: 24, family: 'ipv4' },
	{ network: '192.0.2.0', prefix: 24, family: 'ipv4' },
	{ network: '192.168.0.0', prefix: 16, family: 'ipv4' },
	{ network: '198.18.0.0', prefix: 15, family: 'ipv4' },
	{ network: '198.51.100.0', prefix: 24, family: 'ipv4' },
	{ network: '203.0.113.0', prefix: 24, family: 'ipv4' },
	{ network: '224.0.0.0', prefix: 3, family: 'ipv4' },
	{ network: '::', prefix: 127, family: 'ipv6' },
	// Addresses that contain an IPv4 address: translated, 6to4 and Teredo.
	{ network: '64:ff9b::', prefix: 96, family: 'ipv6' },
	{ network: '64:ff9b:1::', prefix: 48, family: 'ipv6' },
	{ network: '2002::', prefix: 16, family: 'ipv6' },
	{ network: '2001::', prefix: 32, family: 'ipv6' },
	{ network: '100::', prefix: 64, family: 'ipv6' },
	{ network: '2001:db8::', prefix: 32, family: 'ipv6' },
	{ network: 'fc00::', prefix: 7, family: 'ipv6' },
	{ network: 'fe80::', prefix: 9, family: 'ipv6' },
	{ network: 'ff00::', prefix: 8, family: 'ipv6' },
];

const notPublic = new BlockList();
for (const { network, prefix, family } of NOT_PUBLIC) notPublic.addSubnet(network, prefix, family);

/** Whether an IP address (v4, v6, or v4 mapped into v6) is not public. */
export function isPrivateAddress(address: string): boolean {
	return notPublic.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

export function privateAddressFailure(host: string): FeedFailure {
	return new FeedFailure(
		403,
		`${host} leads to a private address, which is not fetched. Start the sandbox with --allow-private to have it fetched.`,
	);
}

/**
 * Like `dns.lookup`, but rejects names with a private address. The connection itself uses it, so that it connects to
 * the checked address.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
	lookup(hostname, { ...options, all: true }, (error, addresses) => {
		const [first] = addresses ?? [];
		if (error || !first) callback(error ?? new Error(`${hostname} has no address.`), []);
		else if (addresses.some(({ address }) => isPrivateAddress(address)))
			callback(privateAddressFailure(hostname), []);
		else if (options.all) callback(null, addresses);
		else callback(null, first.address, first.family);
	});
};
