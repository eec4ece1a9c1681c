import type { INodeProperties } from 'n8n-workflow';
import { isShown, operationParameters } from '../../engine/form.ts';

const parameter = (name: string, show?: Record<string, string[]>): INodeProperties => ({
	...{ name, displayName: name, type: 'string', default: '' },
	...(show && { displayOptions: { show } }),
});

describe('a parameter', () => {
	const dependent = parameter('url', { resource: ['link', 'code'], '/operation': ['create'] });

	it.each([
		[true, {}],
		[true, { resource: 'code' }],
		[true, { resource: 'link', operation: 'create', other: 'value' }],
		[false, { resource: 'domain', operation: 'create' }],
		[false, { resource: 'link', operation: 'delete' }],
		[false, { resource: undefined }],
	])('is shown (%s) with %j', (expected, values) => {
		expect(isShown(dependent, values)).toBe(expected);
	});

	it('without conditions is always shown', () => {
		expect(isShown(parameter('name'), { resource: 'link' })).toBe(true);
	});
});

it('gives the parameters of an operation, without those of all operations', () => {
	const properties = [
		parameter('resource'),
		parameter('operation', { resource: ['link'] }),
		parameter('url', { resource: ['link'], operation: ['create'] }),
		parameter('domain', { resource: ['link'], operation: ['create'], kind: ['short'] }),
		parameter('id', { resource: ['link'], operation: ['delete'] }),
		parameter('code', { resource: ['code'], operation: ['create'] }),
		parameter('options'),
	];
	const found = operationParameters({ properties }, { resource: 'link', operation: 'create' });
	expect(found.map(({ name }) => name)).toEqual(['url', 'domain']);
});
