/**
 * The tables whole, with the texts that only the editor and the documentation show: what the build, the reference and
 * the tests go through. What is published runs without it.
 */
export { table as linkTable } from './LinkManager/resources';
export { table as readerTable } from './NewsReader/resources';
export { outputSchema } from './runtime/description/outputSchema';
