/** A failed request. The response has this message and status, unless a difference changes the status. */
export class Failure extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

export const invalid = (message: string) => new Failure(400, message);
export const conflict = (what: string) => new Failure(409, `${what} is taken. Please choose another one.`);
export const missing = (name: string) => new Failure(404, `${name} does not exist.`);
