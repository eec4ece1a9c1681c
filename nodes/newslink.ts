/**
 * The one bundle of the package, loaded when a node is first used. It is one so that the rate limit, the sessions and
 * what polls remember are one in a process, shared by a node and its trigger.
 */
export { node as linkManager, trigger as linkManagerTrigger } from './LinkManager/code';
export { node as newsReader, trigger as newsReaderTrigger } from './NewsReader/code';

// Tests set the time that the nodes go by, and let them be in other processes: in the copy that n8n has loaded.
export { clock, Throttle } from './runtime/transport/rateLimit';
export { PollingProcess, thisProcess } from './runtime/poll/process';
