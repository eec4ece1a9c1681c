/** The part of gulp that the build uses: gulp has no types of its own. */
declare module 'gulp' {
	type Task = () => Promise<unknown>;

	/** One task that runs these one after the other. */
	export function series(...tasks: Task[]): Task;
	/** One task that runs these at the same time. */
	export function parallel(...tasks: Task[]): Task;
}
