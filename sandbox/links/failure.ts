/** A call that failed: `message` is for the caller, who gets it in the body, with the HTTP status unless a difference says otherwise. */
export class Failure extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

export const invalid = (message: string) => new Failure(400, message);
export const missing = (name: string) => new Failure(404, `${name} does not exist.`);
