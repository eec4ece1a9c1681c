import { linkService } from './links/index.ts';
import type { Service } from './shared/service.ts';

/** Everything else about a service (its routes, its differences in --help, its part of the overview page) follows from its row. */
export const services: readonly Service[] = [linkService];
