/** Reads open claims. */
export { findClaimsOf, findOpenClaims } from './claims.queries.ts';
