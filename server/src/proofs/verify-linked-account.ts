import type { Connection, Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import type { HostAccount } from '../hosts/host-account.ts';
import { readHostAccount } from '../hosts/host-accounts.ts';
import { HostFailure } from '../hosts/host-failure.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { lockLineage } from '../registry/relations/lineage-edges.ts';
import { scoreNow } from '../scoring/score-now.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { claimHostAsking } from './host-asking.repository.ts';
import type { LinkedAccount } from './linked-account.ts';
import { proofOf, proveAccount } from './prove-account.ts';
import { requireLink } from './read-links.ts';
import { readProved } from './read-proved.ts';

export interface Verification {
  accountId: string;
  linkId: string;
  backend: ScoringBackend;
  hosts: Hosts;
  /** Reads the caller's session again, for the length of the transaction; throws unauthorized and sign_in_again. */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/**
 * Looks on the host for the code and, where it stands there, stores the proof with all that follows. The host is asked
 * outside of any transaction. Where anything fails nothing is changed. Throws not_found, code_expired, rate_limited,
 * proof_not_found, unavailable, and what lockRecentSignIn throws.
 */
export async function verifyLinkedAccount(
  database: Database,
  { accountId, linkId, backend, hosts, lockRecentSignIn }: Verification,
): Promise<LinkedAccount> {
  // Once more below, when the host has answered; but nobody else's request makes us ask it.
  await lockRecentSignIn(database);
  const link = await requireLink(database, accountId, linkId);
  const code = requireCode(link);
  const { kind, host } = link;
  await requirePause(database, accountId, host);
  const found = await readHostAccount(kind, host, link.handle, code, { hosts }).catch((error: unknown) => {
    throw explain(error, link);
  });
  requirePublished(found, link);
  const outcomes = await readProved(database, hosts, link, found);
  const store = async (connection: Connection) => {
    await lockRecentSignIn(connection);
    await lockLineage(connection);
    const current = await requireLink(connection, accountId, linkId);
    if (current.code !== code) throw codeExpired();
    return proveAccount(connection, proofOf(link, link.provedBy ?? 'code', found), outcomes);
  };
  const due = await retryConflicts(() => inTransaction(database, store));
  await scoreNow(database, backend, due);
  return requireLink(database, accountId, linkId);
}

function requireCode({ code, codeExpired: isExpired, state }: LinkedAccount): string {
  if (code === null) {
    throw new DomainError(
      'code_expired',
      'This account was confirmed without a code. Link it anew to get a code for it.',
    );
  }
  // A code that has proved its account goes on proving it for as long as it is published.
  if (isExpired && state === 'pending') throw codeExpired();
  return code;
}

/** What the hosts answer in an hour is shared by all accounts: one that asks often waits longer and longer. */
async function requirePause(database: Database, accountId: string, host: string): Promise<void> {
  const waitSeconds = await claimHostAsking(database, accountId, host);
  if (waitSeconds === 0) return;
  throw new DomainError(
    'rate_limited',
    `${host} was checked several times for you. Make sure that the code is visible there, and try again in ${waitSeconds} seconds.`,
    { retryAfterSeconds: waitSeconds },
  );
}

function codeExpired(): DomainError {
  return new DomainError(
    'code_expired',
    'The code has expired. Link the account again, and publish the new code within 24 hours.',
  );
}

function requirePublished(found: HostAccount, { host, handle, hostAccountId }: LinkedAccount): void {
  if (hostAccountId !== null && hostAccountId !== found.hostAccountId) {
    throw new DomainError(
      'proof_not_found',
      `${handle} on ${host} is another account than the one that was proved. Link it anew.`,
    );
  }
  if (found.codePlace !== null) return;
  const why = found.isOrganisation ? ` ${ONLY_OWNERS}` : '';
  throw new DomainError(
    'proof_not_found',
    `The code was not found on ${host} for ${handle}.${why} Publish it as described, wait until the host shows it, and try again.`,
  );
}

/** The request is right but the host is not: nothing was changed, and the same call may succeed later. */
function explain(error: unknown, { host, handle }: LinkedAccount): unknown {
  if (!(error instanceof HostFailure)) return error;
  if (error.kind === 'not_found' || error.kind === 'moved' || error.kind === 'unreadable') {
    return new DomainError('proof_not_found', `${error.message} Check ${handle}, or link the right account.`);
  }
  return new DomainError(
    'unavailable',
    `${host} cannot be read at present. Nothing was changed: try again later.`,
    { retryAfterSeconds: error.retryAfterSeconds ?? RETRY_SECONDS },
  );
}

const RETRY_SECONDS = 30;
const ONLY_OWNERS =
  'It has several members, so only places that its owners alone can write count: a file in a repository or on a website does not.';
