/** Valid parameters for each operation of both nodes. */
import { NODE as LINK_MANAGER } from '../nodes/link-node';
import { NODE as NEWS_READER } from '../nodes/reader-node';
import * as links from './link-samples';
import * as reader from './reader-rows';

export const allCases = [
	...links.cases.map((testCase) => ({
		...testCase,
		node: LINK_MANAGER,
		form: links.completeSample(testCase, 'filled').form,
		fixed: {},
	})),
	...reader.cases.map((testCase) => ({
		...testCase,
		node: NEWS_READER,
		form: testCase.item(0, 'wild').form,
	})),
];
