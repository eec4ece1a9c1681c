/**
 * The entry of the bundle, which n8n loads when a node is first used. One bundle means one throttle, one set of
 * sessions and one poll memory in a process, shared by a node and its trigger.
 */
export * from './LinkManager/implementation';
export * from './NewsReader/implementation';

// For tests: they replace the clock and simulate other processes in the copy that n8n has loaded.
export { clock } from './runtime/clock';
export { Throttle } from './runtime/transport/throttle';
export { PollingProcess, thisProcess } from './runtime/poll/process';
