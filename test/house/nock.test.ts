import http from 'node:http';

const changeable = () => [http.request, http.get, http.ClientRequest, globalThis.fetch];

const before = changeable();
jest.requireMock('nock');
const whileLoading = changeable();

it('does not patch Node.js while a suite loads, because a failing suite would leave the patch in the process', () => {
	expect(whileLoading.map((each, n) => each === before[n])).toEqual([true, true, true, true]);
	expect(changeable()).not.toEqual(before);
});
