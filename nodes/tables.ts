/** The tables of operations for the build, the reference and the tests. */
export { table as linkTable } from './LinkManager/resources';
export { table as readerTable } from './NewsReader/resources';
export { outputSchema, resultSchema } from './runtime/table/operation';
export { isList } from './runtime/table/settings';
export { capitalized } from './runtime/values';
