import { nameKey, proofKeys } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../../catalog/registry-locks.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import type { HostAccount } from '../../hosts/host-account.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { readHostAccount } from '../../hosts/lookup/host-accounts.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { scoreInline } from '../../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { requireLink } from './link-account.ts';
import type { LinkedAccount } from './linked-account.queries.ts';
import { claimHostAttempt } from './linked-account.queries.ts';
import { proofOf, proveAccount, readProvedRepositories } from './prove-account.ts';

export interface Verification {
  accountId: string;
  linkId: string;
  backend: ScoringBackend;
  hosts: Hosts;
  /**
   * Rechecks the caller's session and locks it for the transaction. Throws unauthorized if the session has ended, and
   * sign_in_again if it was not opened recently.
   */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/**
 * Searches for the code on the host and, if the code is there, stores the proof with the effects that `proveAccount`
 * lists. The host is read outside of any transaction. A failure changes nothing, but the attempt counts towards the
 * delay before the next one. Throws not_found, code_expired, rate_limited, proof_not_found, unavailable, and whatever
 * lockRecentSignIn throws.
 */
export async function verifyLinkedAccount(
  database: Database,
  { accountId, linkId, backend, hosts, lockRecentSignIn }: Verification,
): Promise<LinkedAccount> {
  // The session is checked again below, after the host was read. This first check prevents requests to the host with a
  // session that has ended.
  await lockRecentSignIn(database);
  const link = await requireLink(database, accountId, linkId);
  const code = requireCode(link);
  const { kind, host } = link;
  await requirePause(database, accountId, host);
  const found = await readHostAccount(kind, host, link.handle, code, { hosts }).catch((error: unknown) => {
    throw explain(error, link);
  });
  requirePublished(found, link);
  const outcomes = await readProvedRepositories(database, hosts, link, found);
  const store = async (connection: Connection) => {
    await lockRecentSignIn(connection);
    await lockKeys(connection, [nameKey(link.handle), ...proofKeys({ ...found, accountId, host })]);
    const current = await requireLink(connection, accountId, linkId);
    if (current.code !== code) throw codeExpired();
    return proveAccount(connection, proofOf(link, link.provedBy ?? 'code', found), outcomes);
  };
  const due = await inRegistryTransaction(database, store);
  await scoreInline(database, backend, due);
  return requireLink(database, accountId, linkId);
}

function requireCode({ code, codeExpired: isExpired, state }: LinkedAccount): string {
  if (code === null) {
    throw new DomainError(
      'code_expired',
      'This account was confirmed without a code. Link it again to get a code for it.',
    );
  }
  // A code that was found once stays valid for as long as it is published.
  if (isExpired && state === 'pending') throw codeExpired();
  return code;
}

/**
 * Throws rate_limited if the account has attempted checks on this host too often, because all accounts share the host's
 * rate limit. The delay grows with the attempts.
 */
async function requirePause(database: Database, accountId: string, host: string): Promise<void> {
  const waitSeconds = await claimHostAttempt(database, accountId, host);
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
      `${handle} on ${host} is not the account that you proved. Link it again.`,
    );
  }
  if (found.codePlace !== null) return;
  const why = found.isOrganisation ? ` ${ONLY_OWNERS}` : '';
  throw new DomainError(
    'proof_not_found',
    `The code was not found on ${host} for ${handle}.${why} Publish it as described, wait until the host shows it, and try again.`,
  );
}

/**
 * Converts a failure of reading the host to an error for the owner. It distinguishes failures that the owner can
 * correct from failures of the host, after which the same call may succeed later.
 */
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
  'It has several members, so the code counts only where owners alone can write, not in a file of a repository or website.';
