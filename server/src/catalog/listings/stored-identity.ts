/** Loads and stores the facts that identify a listing's repository. */
export { acceptIdentity, loadIdentities, markGone, saveIdentity } from './judge-identity.queries.ts';
