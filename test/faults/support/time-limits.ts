/** Replaces AbortSignal.timeout by timeouts that a test ends. */
export interface TimeLimits {
	/** Aborts all signals that were created so far. */
	expireAll(): void;
	restore(): void;
}

/** Replaces the real timeouts until `restore` is called. */
export function makeTimeLimits(): TimeLimits {
	const real = AbortSignal.timeout.bind(AbortSignal);
	let controllers: AbortController[] = [];
	AbortSignal.timeout = () => {
		const controller = new AbortController();
		controllers.push(controller);
		return controller.signal;
	};
	return {
		expireAll: () => controllers.splice(0).forEach((controller) => controller.abort()),
		restore: () => {
			controllers = [];
			AbortSignal.timeout = real;
		},
	};
}
