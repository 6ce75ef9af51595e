import type { Connection } from '../database/connect.ts';
import { lockSubjects } from '../directory/save-listings-write.ts';
import type { AccountKind } from '../hosts/host-account.ts';
import { subjectsConcerned } from '../identity/take-over.repository.ts';
import { takeOver } from '../identity/take-over.ts';
import { creatorsOfAccounts, markProofDue, refreshVerified } from '../identity/verified.ts';
import { saveGoodCheck } from './linked-account.repository.ts';
import type { ProvedBy } from './linked-account.ts';
import {
  type Claimant,
  creatorsConcerned,
  displaceHandle,
  endOtherProofs,
  linkSubject,
} from './prove-account.repository.ts';

/** A link whose account was found to be its owner's. */
export interface Proof {
  linkId: string;
  accountId: string;
  kind: AccountKind;
  host: string;
  provedBy: ProvedBy;
  /** As the host spells it now. */
  handle: string;
  hostAccountId: string | null;
  createdAt: string | null;
}

/**
 * Stores a proof, the newest one of its account, with all that follows: whoever had proved the account before has not any
 * more, its creator and listings pass on, marks are right, and what has to be scored again is noted. Answers that. The
 * caller is in a transaction and has called lockLineage.
 */
export async function proveAccount(connection: Connection, proof: Proof): Promise<string[]> {
  const claimant: Claimant = proof;
  const concerned = await creatorsConcerned(connection, proof.accountId, claimant);
  await lockSubjects(connection, await subjectsConcerned(connection, concerned));
  const losers = [
    ...(await endOtherProofs(connection, claimant)),
    ...(await displaceHandle(connection, claimant)),
  ];
  await saveGoodCheck(connection, proof.linkId, proof.provedBy, proof);
  await linkSubject(connection, proof.linkId);
  const passedOn = proof.kind === 'repo_host' ? await takeOver(connection, proof) : [];
  const creators = await creatorsOfAccounts(connection, [proof.accountId, ...losers]);
  return refreshMarks(connection, [...new Set([...creators, ...passedOn])]);
}

/** Makes the marks of these creators right and notes what has to be scored again. Answers that. */
export async function refreshMarks(connection: Connection, creatorIds: readonly string[]): Promise<string[]> {
  await refreshVerified(connection, creatorIds);
  return markProofDue(connection, creatorIds);
}
