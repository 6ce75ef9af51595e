/** Opens and ends claims on listings, for proofs and readings. */
export { dropClaims, endClaims, endClaimsByReading, saveClaims } from './listing-claims.repository.ts';
