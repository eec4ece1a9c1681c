/**
 * A fake chat model that runs offline. It responds like OpenAI's chat completions, according to a plan. The plan of the
 * examples requests the unread stories, shortens the URL of the first, and responds with it.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { host } from './settings.ts';

interface Message {
	role: string;
	content?: unknown;
}

/** The request of an AI agent to its model. */
export interface Question {
	messages: Message[];
	tools?: { function: { name: string } }[];
}

export interface StandInModel {
	/** Base URL for an OpenAI credential. */
	url: string;
	close(): Promise<void>;
}

/** Returns the model's next response, created by `say` or `use`. */
export type Plan = (question: Question) => object;

export async function startModel(plan: Plan = readAndShorten): Promise<StandInModel> {
	const server = createServer((request, response) => {
		void completionFor(request, plan).then((reply) => {
			response.setHeader('content-type', 'application/json');
			response.statusCode = reply ? 200 : 404;
			response.end(JSON.stringify(reply ?? { error: { message: 'The stand-in model only chats.' } }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	return {
		url: `http://${host}:${(server.address() as AddressInfo).port}/v1`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function completionFor(request: IncomingMessage, plan: Plan): Promise<object | undefined> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	if (request.url === '/v1/models') return { object: 'list', data: [{ id: 'stand-in', object: 'model' }] };
	if (request.url !== '/v1/chat/completions') return undefined;
	const message = plan(JSON.parse(Buffer.concat(chunks).toString()) as Question);
	return {
		id: 'chatcmpl-stand-in',
		object: 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model: 'stand-in',
		choices: [{ index: 0, message, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' }],
		usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
	};
}

/** The results of the tool calls so far. */
export const toolResults = ({ messages }: Question): string[] =>
	messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));

/** The plan has one step for each tool result. */
function readAndShorten(question: Question): object {
	const { tools = [] } = question;
	const results = toolResults(question);
	const [reading, shortening] = ['stories', 'shorten'].map((word) =>
		tools.map((tool) => tool.function.name).find((name) => name.toLowerCase().includes(word)),
	);
	const [stories, link] = results;
	if (!reading || !shortening) return respond('I need a tool for stories and one to shorten links.');
	if (stories === undefined) return callTool(reading, { limit: 5 });
	const title = valueIn(stories, 'title');
	const address = valueIn(stories, 'permalink');
	if (address === undefined) return respond('There is nothing unread.');
	if (link === undefined) return callTool(shortening, { url: address });
	return respond(`Read “${title}” first: ${valueIn(link, 'shortUrl') ?? address}`);
}

export const textOf = (content: unknown): string =>
	typeof content === 'string' ? content : JSON.stringify(content ?? '');

/** The first text or number with this key in a JSON text, at any depth. */
export function valueIn(text: string, member: string): string | undefined {
	const plain = text.replaceAll('\\"', '"');
	const [, words, number] = new RegExp(`"${member}"\\s*:\\s*(?:"([^"]*)"|(-?\\d+))`).exec(plain) ?? [];
	return words ?? number;
}

export const respond = (content: string) => ({ role: 'assistant', content });

/** Calls a tool; its name is the node's, with underscores. */
export const callTool = (name: string, parameters: object) => ({
	role: 'assistant',
	content: null,
	tool_calls: [
		{
			id: `call_${name}`,
			type: 'function',
			function: { name, arguments: JSON.stringify(parameters) },
		},
	],
});
