/** Reads open claims. */
export { findClaimsOf, findOpenClaims } from './claims.repository.ts';
