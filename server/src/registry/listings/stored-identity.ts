/** Reads and stores what tells a listing's repository from others. */
export { acceptIdentity, loadIdentities, noteGone, saveIdentity } from './judge-identity.repository.ts';
