import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { lockExistingAccount } from '../../access/callers/session.ts';
import { accountKey } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../../catalog/registry-locks.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { readsAccounts } from '../../hosts/lookup/host-accounts.ts';
import { type AccountKind, hostName } from '../../platform/config/known-hosts.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { scoreInline } from '../../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { withdrawProofs } from './lapse-proofs.ts';
import {
  countProofs,
  dropExpiredLinks,
  endLinks,
  findLinks,
  findOneLink,
  findProvedDomains,
  type LinkedAccount,
  type LinkRow,
  MAX_LINKS,
  type ProvedDomain,
  savePendingLink,
} from './linked-account.queries.ts';

/**
 * Returns the domains that organisations have proved as theirs by a DNS record, with the organisations' host accounts.
 * Considers only proofs that were checked in the last 60 days.
 */
export function readProvedDomains(connection: Connection): Promise<ProvedDomain[]> {
  return findProvedDomains(connection);
}

/** A host account to link, as its owner entered it. */
export interface NewLink {
  accountId: string;
  kind: AccountKind;
  host: string;
  handle: string;
  /**
   * Rechecks the caller's session and locks it for the transaction. Throws unauthorized if the session has ended, and
   * sign_in_again if it was not opened recently.
   */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/** Unambiguous letters and digits with 5 bits each: 100 bits per code. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz0';
const CODE_LENGTH = 20;

/**
 * Starts the proof of a host account and returns its link with a code. The owner must publish the code in the host
 * account and have it checked within 24 hours. Another call before that check replaces the code. Throws invalid_request
 * if this server cannot read the account or the maximum number of links is reached, and whatever lockRecentSignIn
 * throws.
 */
export async function linkAccount(
  database: Database,
  hosts: Hosts,
  { accountId, kind, lockRecentSignIn, ...asked }: NewLink,
): Promise<LinkedAccount> {
  const host = hostName(asked.host);
  const handle = asked.handle.trim().replace(/^@/, '');
  if (handle === '' || !host.isWellFormed() || !handle.isWellFormed())
    throw new DomainError('invalid_request', 'handle must be the name of an account on the host.');
  if (!readsAccounts(kind, host, { hosts })) {
    throw new DomainError(
      'invalid_request',
      `An account of the kind ${kind} on ${host} cannot be read by this server. Name a host that it reads, or ask its operator to confirm the account.`,
    );
  }
  return inTransaction(database, async (connection) => {
    // Lock before counting; otherwise two concurrent calls could both pass the limit.
    await lockExistingAccount(connection, accountId);
    await lockRecentSignIn(connection);
    if ((await dropExpiredLinks(connection, accountId)) >= MAX_LINKS) {
      throw new DomainError(
        'invalid_request',
        `You can link at most ${MAX_LINKS} accounts. Remove one first.`,
      );
    }
    const link = { id: uuidv7(), accountId, kind, host, handle, code: newCode() };
    return requireLink(connection, accountId, await savePendingLink(connection, link));
  });
}

function newCode(): string {
  return `trust-directory-${[...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % 32]).join('')}`;
}

/** Returns an account's links that were not removed, oldest first. */
export async function readLinks(connection: Connection, accountId: string): Promise<LinkedAccount[]> {
  return (await findLinks(connection, accountId)).map(linkOf);
}

/** Returns one of an account's links; null if it belongs to another account, was removed or does not exist. */
export async function findLink(
  connection: Connection,
  accountId: string,
  linkId: string,
): Promise<LinkedAccount | null> {
  const row = await findOneLink(connection, accountId, linkId);
  return row && linkOf(row);
}

/**
 * Returns one of the account's own links. Throws not_found for any other id, even if it is the id of another account's
 * link.
 */
export async function requireLink(
  connection: Connection,
  accountId: string,
  linkId: string,
): Promise<LinkedAccount> {
  const link = await findLink(connection, accountId, linkId);
  if (!link) throw new DomainError('not_found', 'You have no linked account with this id.');
  return link;
}

/** Returns whether a directory account has a valid proof. */
export async function hasProof(connection: Connection, accountId: string): Promise<boolean> {
  return (await countProofs(connection, accountId)) > 0;
}

function linkOf({ counts, ...row }: LinkRow): LinkedAccount {
  const proofState = counts ? 'proved' : 'lapsed';
  return { ...row, state: row.provedAt === null ? 'pending' : proofState };
}

export interface Removal {
  accountId: string;
  linkId: string;
  backend: ScoringBackend;
  /**
   * Rechecks the caller's session and locks it for the transaction. Throws unauthorized if the session has ended, and
   * sign_in_again if it was not opened recently.
   */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/**
 * Removes a link. Verified flags that depend on the link are cleared at once, and listings that the account got through
 * it get back their former texts. Listings that only this account listed stay its own, unverified. Throws not_found,
 * and whatever lockRecentSignIn throws.
 */
export async function removeLinkedAccount(
  database: Database,
  { accountId, linkId, backend, lockRecentSignIn }: Removal,
): Promise<void> {
  const remove = async (connection: Connection) => {
    await lockRecentSignIn(connection);
    await lockKeys(connection, [accountKey(accountId)]);
    const link = await requireLink(connection, accountId, linkId);
    await endLinks(connection, { id: link.id });
    return link.provedAt === null ? [] : withdrawProofs(connection, accountId, [link]);
  };
  const due = await inRegistryTransaction(database, remove);
  await scoreInline(database, backend, due);
}

/**
 * Removes all links of an account. Each removal has the same effects as one by the owner. Returns the subjects to
 * score. The caller is in a transaction and has called lockRegistry or lockKeys.
 */
export async function removeAllLinks(connection: Connection, accountId: string): Promise<string[]> {
  const links = await readLinks(connection, accountId);
  await endLinks(connection, { accountId });
  const proved = links.filter(({ provedAt }) => provedAt !== null);
  return withdrawProofs(connection, accountId, proved);
}
