import http from 'node:http';

const changeable = () => [http.request, http.get, http.ClientRequest, globalThis.fetch];

const before = changeable();
jest.requireMock('nock');
const whileLoading = changeable();

it('changes nothing of Node.js while a suite loads: the suite may throw, and others go on in its process', () => {
	expect(whileLoading.map((each, n) => each === before[n])).toEqual([true, true, true, true]);
	expect(changeable()).not.toEqual(before);
});
