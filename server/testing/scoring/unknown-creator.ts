import type { CreatorIdentity } from '../../src/scoring/facts/creator-identity.ts';

/** A creator of whom only the name is known. */
export const UNKNOWN_CREATOR: CreatorIdentity = {
  hasAccount: false,
  provedKinds: [],
  provedAt: null,
  hostAccountCreatedAt: null,
  hostAccountCheckedAt: null,
  hasRegistryNamespace: false,
  importedAccountCreatedAt: null,
  creatorConfirmedAt: '2026-11-01T00:00:00.000000Z',
};
