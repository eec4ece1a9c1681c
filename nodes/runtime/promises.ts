/** What came of something that may fail. */
export async function settled<Value>(work: Promise<Value>): Promise<{ value: Value } | { error: unknown }> {
	try {
		return { value: await work };
	} catch (error) {
		return { error };
	}
}

/** What comes of work, unless it takes longer than so many milliseconds: then the error that tells so. Nothing is stopped. */
export async function within<Result>(
	ms: number,
	work: Promise<Result>,
	tooLate: () => Error,
): Promise<Result> {
	const limit = AbortSignal.timeout(ms);
	let stop = (): void => undefined;
	const late = new Promise<never>((_, reject) => {
		stop = () => reject(tooLate());
	});
	limit.addEventListener('abort', stop);
	try {
		return await Promise.race([work, late]);
	} finally {
		limit.removeEventListener('abort', stop);
	}
}
