import type { Table } from '../../operation/row';
import { feed } from './feed';
import { folder } from './folder';
import { story } from './story';

/** Every operation of the news reader service, by resource. */
export const table = {
	story,
	feed,
	folder,
} satisfies Table;
