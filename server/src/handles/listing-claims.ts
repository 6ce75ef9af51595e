/** Opens and ends claims on listings, for proofs and readings. */
export { dropClaims, endClaims, saveClaims } from './listing-claims.repository.ts';
