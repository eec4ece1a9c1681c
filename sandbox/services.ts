import { linkService } from './links/index.ts';
import { readerService } from './reader/index.ts';
import { ownFeedsService } from './reader/built-in-feeds.ts';
import type { Service } from './shared/service.ts';

/** Everything else about a service (its routes, its differences in --help, its part of the overview page) follows from its row. */
export const services: readonly Service[] = [linkService, readerService, ownFeedsService];

/** Every name that `--wild NAME` knows. */
export const differenceNames: readonly string[] = services.flatMap(({ differences }) =>
	differences.map(({ name }) => name),
);
