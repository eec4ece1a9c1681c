/** The folder paths in error messages. */
import { folderAdvice, foldersOf } from '../../nodes/NewsReader/model/folders';

it.each([
	[[7, { News: [1] }], 'The folders are: News'],
	[[{ News: [1, { Cities: [2] }] }, { Life: [] }], 'The folders are: News, News / Cities, Life'],
	[[7], 'There are no folders yet'],
])('lists the folders of %j', (tree, advice) => {
	expect(folderAdvice(foldersOf(tree))).toBe(advice);
});
