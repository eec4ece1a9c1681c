import { linkService } from './links/index.ts';
import { readerService } from './reader/index.ts';
import { builtInFeedsService } from './feeds/builtin/index.ts';
import type { Service } from './shared/service.ts';

/** The services of the sandbox. Routes, differences in --help and the overview page are generated from this list. */
export const services: readonly Service[] = [linkService, readerService, builtInFeedsService];

/** All names for `--wild NAME`. */
export const differenceNames: readonly string[] = services.flatMap(({ differences }) =>
	differences.map(({ name }) => name),
);
