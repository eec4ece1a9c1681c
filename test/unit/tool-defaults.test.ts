/** The values that a tool uses for parameters that a language model leaves out. */
import { newsReader } from '../../nodes/NewsReader/service';
import { defaultsOf } from '../../nodes/runtime/execute/tool';

it('are the defaults of the form', () => {
	const { getAll, markAllRead } = newsReader.table.feed!.operations;
	expect(defaultsOf(getAll!).get('limit')).toBe(50);
	expect(defaultsOf(markAllRead!).get('days')).toBe(7);
});
