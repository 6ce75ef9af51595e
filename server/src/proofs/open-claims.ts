/** Reads open claims. */
export { findOpenClaims } from './claims.repository.ts';
