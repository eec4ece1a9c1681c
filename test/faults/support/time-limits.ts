/** Time limits that pass when a test says so. */
export interface TimeLimits {
	/** Ends the time of all that is under way. */
	pass(): void;
	restore(): void;
}

/** Puts them in the place of the real ones. */
export function makeTimeLimits(): TimeLimits {
	const real = AbortSignal.timeout.bind(AbortSignal);
	let running: AbortController[] = [];
	AbortSignal.timeout = () => {
		const controller = new AbortController();
		running.push(controller);
		return controller.signal;
	};
	return {
		pass: () => running.splice(0).forEach((controller) => controller.abort()),
		restore: () => {
			running = [];
			AbortSignal.timeout = real;
		},
	};
}
