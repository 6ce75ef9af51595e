import { proofKeys } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../../catalog/registry-locks.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import type { CodePlace, HostAccount } from '../../hosts/host-account.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { currentHandle, readHostAccount } from '../../hosts/lookup/host-accounts.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { scoreInline } from '../../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { followRename } from '../handles/follow-host.ts';
import { NO_OUTCOMES, type RepositoryOutcomes } from '../handles/read-owned-repositories.ts';
import { withdrawProofs } from './lapse-proofs.ts';
import { findLink } from './link-account.ts';
import type { LinkedAccount } from './linked-account.queries.ts';
import { saveFailedCheck } from './linked-account.queries.ts';
import { claimDueCheck, saveLapseOfProof } from './proofs.queries.ts';
import { proofOf, proveAccount, readProvedRepositories } from './prove-account.ts';

export interface RecheckDependencies {
  database: Database;
  backend: ScoringBackend;
  hosts: Hosts;
}

/** Maximum checks per call. They are made one by one, to limit the load on hosts. */
const CHECKS_PER_RUN = 20;

/**
 * Checks proofs that are due: usually 30 days after a successful check, six hours after a failed one. Returns the
 * number of checks. A process reserves a proof for five minutes; if the process dies, another one checks it afterwards.
 */
export async function recheckLinkedAccounts(parts: RecheckDependencies): Promise<number> {
  for (let checked = 0; checked < CHECKS_PER_RUN; checked += 1) {
    const due = await claimDueCheck(parts.database);
    const link = due && (await findLink(parts.database, due.accountId, due.id));
    if (link === null) return checked;
    await recheck(parts, link);
  }
  return CHECKS_PER_RUN;
}

async function recheck(
  { database, backend, hosts }: RecheckDependencies,
  link: LinkedAccount,
): Promise<void> {
  const answer = await readAgain(hosts, link);
  const found = typeof answer === 'string' ? null : answer;
  const proves = found !== null && stillProves(found, link);
  const isLapse =
    (found !== null && restsOnNoOwner(found, link)) || (!proves && answer !== 'unread' && isDisplaced(link));
  if (!isLapse && !proves) return saveFailedCheck(database, link.id);
  const outcomes = isLapse
    ? NO_OUTCOMES
    : await readProvedRepositories(database, hosts, link, found as HostAccount);
  const due = await inRegistryTransaction(database, async (connection) => {
    await lockKeys(connection, proofKeys({ ...link, ...found }));
    if (isLapse) return lapse(connection, link);
    return confirm(connection, link, found as HostAccount, outcomes);
  });
  await scoreInline(database, backend, due);
}

/** Places where only the owners of an organisation can publish a code. */
const OWNERS_PLACES: ReadonlySet<CodePlace | null> = new Set<CodePlace>(['profile', 'dns_record']);

/**
 * Returns true if an organisation's proof must lapse at once: its code is no longer published, and was last found in a
 * repository file, on a website, in a package or in a place that was not recorded. People who are not owners of the
 * organisation can write in these places, too, so its owners may never have confirmed the proof. If the code was last
 * found in a place that only owners can write, the usual 60 days apply.
 */
function restsOnNoOwner(found: HostAccount, { provedBy, hostAccountId, codePlace }: LinkedAccount): boolean {
  const isSame = hostAccountId === null || hostAccountId === found.hostAccountId;
  const isConfirmed = OWNERS_PLACES.has(codePlace) || found.codePlace !== null;
  return found.isOrganisation && isSame && provedBy === 'code' && !isConfirmed;
}

/**
 * Returns true for a suspended proof, which does not count: another account has since proved the handle of this proof.
 * A suspended proof lapses at once if a check does not find its host account or its code.
 */
function isDisplaced({ checkedAt, hasLapsed }: LinkedAccount): boolean {
  return checkedAt === null && !hasLapsed;
}

async function lapse(connection: Connection, link: LinkedAccount): Promise<string[]> {
  const lapsed = await saveLapseOfProof(connection, link);
  return lapsed === null ? [] : withdrawProofs(connection, link.accountId, [lapsed]);
}

/**
 * Reads the host account again, under its new handle if it was renamed on a repository host. Returns `absent` if the
 * host does not show it, and `unread` if the host could not be read.
 */
async function readAgain(hosts: Hosts, link: LinkedAccount): Promise<HostAccount | 'absent' | 'unread'> {
  const { kind, host, code, hostAccountId } = link;
  const read = (handle: string) => readHostAccount(kind, host, handle, code, { hosts });
  try {
    const found = await read(link.handle).catch((error: unknown) => {
      if (error instanceof HostFailure && (error.kind === 'not_found' || error.kind === 'moved')) return null;
      throw error;
    });
    if (hostAccountId === null || found?.hostAccountId === hostAccountId) return found ?? 'absent';
    // The handle is free or belongs to another host account now, so look up the new handle of the proved host account.
    const handle = kind === 'repo_host' ? await currentHandle(host, hostAccountId, { hosts }) : null;
    return handle === null ? (found ?? 'absent') : await read(handle);
  } catch (error) {
    if (error instanceof HostFailure) return 'unread';
    throw error;
  }
}

/**
 * Returns true if `found` is the proved host account and, for a proof by code, the code is still published. If the id
 * of the proved account is unknown, any account with its handle counts; storing the check then stores the id.
 */
function stillProves(found: HostAccount, { hostAccountId, provedBy }: LinkedAccount): boolean {
  const isSame = hostAccountId === null || hostAccountId === found.hostAccountId;
  return isSame && (provedBy !== 'code' || found.codePlace !== null);
}

async function confirm(
  connection: Connection,
  link: LinkedAccount,
  found: HostAccount,
  outcomes: RepositoryOutcomes,
): Promise<string[]> {
  const { id, accountId, kind, host } = link;
  const current = await findLink(connection, accountId, id);
  // Stop if, while the host was being read, the link was removed or another account proved the host account.
  if (current === null || current.provedBy === null) return [];
  const { handle, hostAccountId } = found;
  if (kind === 'repo_host' && handle.toLowerCase() !== current.handle.toLowerCase()) {
    await followRename(connection, { accountId, host, hostAccountId, from: current.handle, to: handle });
  }
  return proveAccount(connection, proofOf(link, current.provedBy, found), outcomes);
}
