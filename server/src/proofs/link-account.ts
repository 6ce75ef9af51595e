import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { lockLivingAccount } from '../callers/lock-living-account.ts';
import type { AccountKind } from '../config/account-kinds.ts';
import { hostName } from '../config/host-catalogue.ts';
import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import { readsAccounts } from '../hosts/host-accounts.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { dropExpiredLinks, savePendingLink } from './linked-account.repository.ts';
import { type LinkedAccount, MOST_LINKS } from './linked-account.ts';
import { requireLink } from './read-links.ts';

/** An account elsewhere, as its owner names it. */
export interface NewLink {
  accountId: string;
  kind: AccountKind;
  host: string;
  handle: string;
  /** Reads the caller's session again, for the length of the transaction; throws unauthorized and sign_in_again. */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/** Letters and digits that nobody mistakes for each other, 5 bits each: 100 bits. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz0';
const CODE_LENGTH = 20;

/**
 * Begins the proof of an account elsewhere: answers a code for its owner to publish there within 24 hours. Asked again
 * for the same account, the new code takes the old one's place. Throws invalid_request where the account cannot be read or
 * is one too many, and what lockRecentSignIn throws.
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
    // Before they are counted: two at once would each find the last place free.
    await lockLivingAccount(connection, accountId);
    await lockRecentSignIn(connection);
    if ((await dropExpiredLinks(connection, accountId)) >= MOST_LINKS) {
      throw new DomainError(
        'invalid_request',
        `An account links at most ${MOST_LINKS} others. Remove one first.`,
      );
    }
    const link = { id: uuidv7(), accountId, kind, host, handle, code: newCode() };
    return requireLink(connection, accountId, await savePendingLink(connection, link));
  });
}

function newCode(): string {
  return `trust-directory-${[...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % 32]).join('')}`;
}
