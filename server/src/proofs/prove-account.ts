import type { AccountKind } from '../config/account-kinds.ts';
import type { Connection } from '../database/connect.ts';
import { dropClaims, endClaims, saveClaims } from '../handles/listing-claims.ts';
import { lockCreators } from '../handles/lock-creators.ts';
import { NOTHING_READ, type RepositoryOutcomes } from '../handles/read-owned-repositories.ts';
import { restoreListings } from '../handles/restore-listings.ts';
import { type Ownership, type SettledListing, settleOwnership } from '../handles/settle-ownership.ts';
import { takeOver } from '../handles/take-over.ts';
import type { AccountObservations, CodePlace, HostAccount } from '../hosts/host-account.ts';
import { creatorsOfAccounts, markProofDue, refreshVerified } from '../registry/creators/verified.ts';
import type { AccountType } from '../registry/platform-accounts/account-row.ts';
import { saveProvedAccount } from '../registry/platform-accounts/save-proved-account.ts';
import { noteScoreDue } from '../scoring/note-score-due.ts';
import { platformName } from '../subjects/platforms.ts';
import { checkSoon, saveGoodCheck } from './linked-account.repository.ts';
import type { LinkedAccount, ProvedBy } from './linked-account.ts';
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
  /** Where a person can see the account; null where its host was not read. */
  profileUrl: string | null;
  /** Where the code stood; null where somebody else than a code speaks for it. */
  codePlace: CodePlace | null;
  /** What its platform shows of a social or messaging account; null where it was not read. */
  facts: AccountObservations | null;
}

/** The proof of a link whose host shows its account so. */
export function proofOf(link: LinkedAccount, provedBy: ProvedBy, found: HostAccount): Proof {
  const { id: linkId, accountId, kind, host } = link;
  return { ...found, linkId, accountId, kind, host, provedBy, profileUrl: found.evidenceUrl };
}

/**
 * Stores a proof, the newest one of its account, with all that follows: anyone who had proved the account before has not any
 * more, its creator and the listings that are its own by the host's ids pass on, the others wait as claims, marks are right,
 * and what has to be scored again is noted. Answers that. The outcomes are what the host answered about the account's listed
 * repositories. The caller is in a transaction and has called lockLineage.
 */
export async function proveAccount(
  connection: Connection,
  proof: Proof,
  outcomes: RepositoryOutcomes = NOTHING_READ,
): Promise<string[]> {
  const claimant: Claimant = proof;
  const concerned = await creatorsConcerned(connection, proof.accountId, claimant);
  await lockCreators(connection, concerned);
  const ended = await endOtherProofs(connection, claimant);
  const displaced = await displaceHandle(connection, claimant);
  await saveGoodCheck(connection, proof.linkId, proof.provedBy, proof);
  const subjects = await saveSubject(connection, proof);
  const passedOn = proof.kind === 'repo_host' ? await passOn(connection, proof, ended, outcomes) : [];
  const losers = [...ended.map(({ accountId }) => accountId), ...displaced];
  const creators = await creatorsOfAccounts(connection, [proof.accountId, ...losers]);
  return [...subjects, ...(await refreshMarks(connection, [...new Set([...creators, ...passedOn])]))];
}

/** What others said of the account's listings by a proof that ended with this one goes; then creator and listings pass on. */
async function passOn(
  connection: Connection,
  proof: Proof,
  ended: readonly { accountId: string; handle: string }[],
  outcomes: RepositoryOutcomes,
): Promise<string[]> {
  const changed: string[] = [];
  for (const { accountId, handle } of ended) {
    if (accountId === proof.accountId) continue;
    await dropClaims(connection, accountId, { host: proof.host, handle });
    const { host, hostAccountId } = proof;
    changed.push(...(await restoreListings(connection, { accountId, host, handle, hostAccountId })));
  }
  const settled = await settleOwnership(connection, proof, outcomes);
  const creators = await takeOver(connection, proof, settled);
  const isNew = await claimWaiting(connection, proof, settled);
  if (isNew) await checkSoon(connection, proof.linkId);
  return [...changed, ...creators];
}

/** Claims the listings that wait, and ends the claims of those that were given. Answers whether some have yet to be read. */
async function claimWaiting(
  connection: Connection,
  proof: Proof,
  settled: readonly SettledListing[],
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

/** A social or messaging account is a subject of its own from then on. Answers it, if there is one, to be scored. */
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
  await noteScoreDue(connection, [subjectId]);
  return [subjectId];
}

/** Makes the marks of these creators right and notes what has to be scored again. Answers that. */
export async function refreshMarks(connection: Connection, creatorIds: readonly string[]): Promise<string[]> {
  await refreshVerified(connection, creatorIds);
  return markProofDue(connection, creatorIds);
}
