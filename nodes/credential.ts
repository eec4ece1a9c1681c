/** What the classes of the credentials share, built once beside them. */
export { PLAIN } from './runtime/address';
export { connectionFields, connectionOf } from './runtime/connection';
export * from './runtime/credentialTest';
