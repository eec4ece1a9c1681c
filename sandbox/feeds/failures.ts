/** Why a URL could not be fetched or read as a feed. */
export class FeedFailure extends Error {
	/** The status of the response; without one, the status that the statistics of the feed show. */
	readonly status: number;

	constructor(status: number, message: string, cause?: unknown) {
		super(message, { cause });
		this.status = status;
	}
}

/** The result of `attempt`, or undefined after a `FeedFailure`. Throws other errors. */
export async function unlessFailed<Result>(
	attempt: () => Result | Promise<Result>,
): Promise<Result | undefined> {
	try {
		return await attempt();
	} catch (error) {
		if (error instanceof FeedFailure) return undefined;
		throw error;
	}
}
