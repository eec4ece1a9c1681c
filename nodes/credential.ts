/** What the classes of the credentials share, built once beside them. */
export * from './runtime/credential';
