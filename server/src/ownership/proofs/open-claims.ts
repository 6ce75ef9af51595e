/** Queries of open claims, for the commands of other modules. */
export { findClaimsOf, findOpenClaims } from './claims.queries.ts';
