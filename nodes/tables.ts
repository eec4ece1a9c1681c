/** The tables of operations for the build, the reference and the tests. */
export { table as linkTable } from './LinkManager/resources';
export { table as readerTable } from './NewsReader/resources';
export { outputSchema } from './runtime/table/operation';
export { isOnNewerServers } from './NewsReader/model/newer-servers';
