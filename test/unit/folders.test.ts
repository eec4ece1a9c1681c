/** Folders are lists of names; users write them as paths. */
import {
	feedsInside,
	folderAdvice,
	folderAt,
	foldersOf,
	namesIn,
	pathOf,
} from '../../nodes/NewsReader/model/folders';

const errors = { parameterError: (label: string, reason: string) => new Error(`${label} ${reason}`) };
const at = (tree: unknown, path: string) => folderAt(foldersOf(tree), path, 'Folder', errors);

it.each([
	[[7, { News: [1] }], 'The folders are: News'],
	[[{ News: [1, { Cities: [2] }] }, { 'AC/DC': [] }], 'The folders are: News, News / Cities, AC\\/DC'],
	[[7], 'There are no folders yet'],
])('lists the folders of %j', (tree, advice) => {
	expect(folderAdvice(foldersOf(tree))).toBe(advice);
});

it.each([['AC/DC'], ['A / B'], ['/'], ['back\\slash'], ['ends with \\'], ['\\/']])(
	'keeps the name %j in a path',
	(name) => {
		expect(namesIn(pathOf(['Music', name, 'Live']))).toEqual(['Music', name, 'Live']);
	},
);

it('excludes the feeds of a folder whose name only begins like the path', () => {
	const tree = [{ News: [1, { Cities: [2] }] }, { 'News/World': [3] }, { 'News / Cities': [4] }];
	expect(feedsInside(foldersOf(tree), at(tree, 'News'))).toEqual([1, 2]);
});

it.each(['News/World', 'News / World'])('refuses %j if it can mean two folders', (path) => {
	const tree = [{ News: [{ World: [2] }] }, { 'News/World': [3] }];
	expect(() => at(tree, path)).toThrow('can mean two folders, "News / World" and "News\\/World"');
	expect(at(tree, 'News\\/World').feedIds).toEqual([3]);
	expect(at(tree.slice(1), path).feedIds).toEqual([3]);
});

it.each([
	[[{ Tech: [1] }, { Tech: [2] }], 'Tech'],
	[[{ ' Pad': [1] }, { Pad: [2] }], 'Pad'],
])('refuses a name that %j has twice', (tree, path) => {
	expect(() => at(tree, path)).toThrow('can mean two folders');
});

it('does not take a folder named "/" for the top level', () => {
	expect(at([7, { '/': [1] }], '').feedIds).toEqual([7]);
	expect(at([7, { '/': [1] }], '\\/').feedIds).toEqual([1]);
});

it('keeps the names of the flat form', () => {
	const flat = { ' ': [7], 'A - B': [1], Tech: [2], 'Tech - Deep': [3] };
	expect(foldersOf(flat).map(({ names }) => names)).toEqual([[], ['A - B'], ['Tech'], ['Tech - Deep']]);
});
