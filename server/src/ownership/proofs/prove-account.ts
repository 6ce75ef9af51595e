import { creatorsOfAccounts, markProofDue, refreshVerified } from '../../catalog/creators/verified.ts';
import { saveProvedAccount } from '../../catalog/platform-accounts/save-proved-account.ts';
import type { AccountType } from '../../catalog/platform-accounts/write-accounts.ts';
import { accountKey, creatorKey, proofKeys } from '../../catalog/registry-keys.ts';
import { lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import { platformName } from '../../catalog/subjects/platforms.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import type { AccountObservations, CodePlace, HostAccount } from '../../hosts/host-account.ts';
import type { AccountKind } from '../../platform/config/known-hosts.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import { claimHandle } from '../handles/claim-handle.ts';
import {
  determineOwnership,
  type ListingWithOwnership,
  type Ownership,
} from '../handles/determine-ownership.ts';
import { lockCreators } from '../handles/follow-host.ts';
import { deleteClaims, endClaims, saveClaims } from '../handles/listing-claims.queries.ts';
import {
  NO_OUTCOMES,
  type RepositoryOutcomes,
  readOwnedRepositories,
} from '../handles/read-owned-repositories.ts';
import { restoreListings } from '../handles/release-handle.ts';
import type { LinkedAccount, ProvedBy } from './linked-account.queries.ts';
import { saveGoodCheck, scheduleEarlyCheck } from './linked-account.queries.ts';
import {
  type Claimant,
  endOtherProofs,
  findConcerned,
  linkSubject,
  suspendHandleProofs,
} from './proofs.queries.ts';

/** A linked host account, with the evidence that it belongs to the directory account `accountId`. */
export interface Proof {
  linkId: string;
  accountId: string;
  kind: AccountKind;
  host: string;
  provedBy: ProvedBy;
  /** Current spelling on the host. */
  handle: string;
  hostAccountId: string | null;
  createdAt: string | null;
  /** Page where a person can see the account; null if its host was not read. */
  profileUrl: string | null;
  /** Location of the code; null for a proof without a code. */
  codePlace: CodePlace | null;
  /** Domain whose DNS record has the code; absent for other places. */
  domain?: string | null;
  /** Observations of a social or messaging account; null if it was not read. */
  facts: AccountObservations | null;
}

/** Builds the proof for a link from its host account `found`, as read from the host. */
export function proofOf(link: LinkedAccount, provedBy: ProvedBy, found: HostAccount): Proof {
  const { id: linkId, accountId, kind, host } = link;
  return { ...found, linkId, accountId, kind, host, provedBy, profileUrl: found.evidenceUrl };
}

/**
 * Stores a proof of a host account, applies the effects below, and returns the subjects that it queues for scoring.
 * `outcomes` are the listed repositories of the host account as they were read from the host. The caller is in a
 * transaction and has called lockRegistry or lockKeys.
 * - Ends other proofs of the same host account, and suspends the proof of a host account that had the same handle
 *   before.
 * - Moves the host account's creator, and the listings with the proved owner id, to the new directory account. Listings
 *   with an undetermined owner wait as claims.
 * - Updates verified flags.
 */
export async function proveAccount(
  connection: Connection,
  proof: Proof,
  outcomes: RepositoryOutcomes = NO_OUTCOMES,
): Promise<string[]> {
  const claimant: Claimant = proof;
  await lockMoreKeys(connection, proofKeys(proof));
  const concerned = await readLocked(
    connection,
    () => findConcerned(connection, proof.accountId, claimant),
    ({ accounts, creators }) => [...accounts.map(accountKey), ...creators.map(creatorKey)],
  );
  await lockCreators(connection, concerned.creators);
  const ended = await endOtherProofs(connection, claimant);
  const displaced = await suspendHandleProofs(connection, claimant);
  await saveGoodCheck(connection, proof.linkId, proof.provedBy, proof);
  const subjects = await saveSubject(connection, proof);
  const passedOn = proof.kind === 'repo_host' ? await passOn(connection, proof, ended, outcomes) : [];
  const displacedAccounts = [...ended.map(({ accountId }) => accountId), ...displaced];
  const creators = await creatorsOfAccounts(connection, [proof.accountId, ...displacedAccounts]);
  return [...subjects, ...(await updateVerifiedFlags(connection, [...new Set([...creators, ...passedOn])]))];
}

/**
 * Deletes the claims of the other directory accounts whose proofs have ended, and restores the texts of their listings.
 * Then moves the host account's creator and listings to the account that gave the new proof.
 */
async function passOn(
  connection: Connection,
  proof: Proof,
  ended: readonly { accountId: string; handle: string }[],
  outcomes: RepositoryOutcomes,
): Promise<string[]> {
  const changed: string[] = [];
  for (const { accountId, handle } of ended) {
    if (accountId === proof.accountId) continue;
    await deleteClaims(connection, accountId, { host: proof.host, handle });
    const { host, hostAccountId } = proof;
    changed.push(...(await restoreListings(connection, { accountId, host, handle, hostAccountId })));
  }
  const settled = await determineOwnership(connection, proof, outcomes);
  const creators = await claimHandle(connection, proof, settled);
  const isNew = await claimWaiting(connection, proof, settled);
  if (isNew) await scheduleEarlyCheck(connection, proof.linkId);
  return [...changed, ...creators];
}

/**
 * Opens claims on listings whose owner is undetermined, and ends claims on listings whose owner the host has just
 * shown. Returns true if some listings have not been read yet.
 */
async function claimWaiting(
  connection: Connection,
  proof: Proof,
  settled: readonly ListingWithOwnership[],
): Promise<boolean> {
  const waiting = settled.flatMap(({ id, ownership }) =>
    ownership.kind === 'waits' ? { id, reason: ownership.reason } : [],
  );
  const ids = (kind: Ownership['kind']) =>
    settled.flatMap(({ id, ownership }) => (ownership.kind === kind ? id : []));
  await saveClaims(connection, proof, waiting);
  const given = { decision: 'given', decidedBy: 'reading' } as const;
  await endClaims(connection, proof.accountId, ids('given'), given);
  await endClaims(connection, proof.accountId, ids('others'), { ...given, decision: 'refused' });
  return waiting.some(({ reason }) => reason === 'not_read');
}

const SUBJECT_TYPES: Partial<Record<AccountKind, AccountType>> = {
  social: 'social_account',
  messaging: 'messaging_account',
};

/**
 * Stores a social or messaging account as a scored subject and queues it for scoring. Returns its id in a list, which
 * is empty for other kinds, and for an account that cannot be stored.
 */
async function saveSubject(connection: Connection, proof: Proof): Promise<string[]> {
  const { linkId, kind, host, handle, hostAccountId, createdAt, profileUrl, facts } = proof;
  const type = SUBJECT_TYPES[kind];
  if (type === undefined) return [];
  const subjectId = await saveProvedAccount(connection, {
    type,
    platform: platformName(host),
    handle,
    platformAccountId: hostAccountId,
    createdAt,
    url: profileUrl,
    facts,
  });
  if (subjectId === null) return [];
  await linkSubject(connection, linkId, subjectId);
  await enqueueScoring(connection, [subjectId]);
  return [subjectId];
}

/**
 * Updates the verified flags of these creators and queues the affected subjects for scoring; returns those subjects.
 */
export async function updateVerifiedFlags(
  connection: Connection,
  creatorIds: readonly string[],
): Promise<string[]> {
  await refreshVerified(connection, creatorIds);
  return markProofDue(connection, creatorIds);
}

/**
 * Reads the listed repositories of a host account before its proof is stored, both under the handle of the link and
 * under the current handle. Call it outside of any transaction.
 */
export function readProvedRepositories(
  connection: Connection,
  hosts: Hosts,
  { kind, host, handle }: { kind: AccountKind; host: string; handle: string },
  found: { handle: string; hostAccountId: string | null },
): Promise<RepositoryOutcomes> {
  if (kind !== 'repo_host') return Promise.resolve(NO_OUTCOMES);
  const handles = [...new Set([handle, found.handle])];
  return readOwnedRepositories(connection, hosts, { host, handles, hostAccountId: found.hostAccountId });
}
