import type { Connection, Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { followRename } from '../handles/follow-rename.ts';
import { NOTHING_READ, type RepositoryOutcomes } from '../handles/read-owned-repositories.ts';
import type { CodePlace, HostAccount } from '../hosts/host-account.ts';
import { readHostAccount } from '../hosts/host-accounts.ts';
import { HostFailure } from '../hosts/host-failure.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { presentHandle } from '../hosts/present-handle.ts';
import { lockLineage } from '../registry/relations/lineage-edges.ts';
import { scoreNow } from '../scoring/score-now.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { saveFailedCheck } from './linked-account.repository.ts';
import type { LinkedAccount } from './linked-account.ts';
import { proofOf, proveAccount } from './prove-account.ts';
import { findLink } from './read-links.ts';
import { readProved } from './read-proved.ts';
import { claimDueCheck, saveLapseOf } from './recheck-linked-accounts.repository.ts';
import { withdrawProofs } from './withdraw-proofs.ts';

export interface RecheckParts {
  database: Database;
  backend: ScoringBackend;
  hosts: Hosts;
}

/** How many checks one round makes at most, one after the other: the hosts are other people's. */
const CHECKS_A_ROUND = 20;

/**
 * Checks proofs that are due, each 30 days after its last good check, and answers how many it looked at. One process at a
 * time holds a proof, for five minutes; one that dies leaves it to the next.
 */
export async function recheckLinkedAccounts(parts: RecheckParts): Promise<number> {
  for (let checked = 0; checked < CHECKS_A_ROUND; checked += 1) {
    const due = await claimDueCheck(parts.database);
    const link = due && (await findLink(parts.database, due.accountId, due.id));
    if (link === null) return checked;
    await recheck(parts, link);
  }
  return CHECKS_A_ROUND;
}

async function recheck({ database, backend, hosts }: RecheckParts, link: LinkedAccount): Promise<void> {
  const found = await readAgain(hosts, link);
  const isLapse = found !== null && restsOnNoOwner(found, link);
  if (!isLapse && (found === null || !stillProves(found, link))) return saveFailedCheck(database, link.id);
  const outcomes = isLapse ? NOTHING_READ : await readProved(database, hosts, link, found as HostAccount);
  const due = await retryConflicts(() =>
    inTransaction(database, async (connection) => {
      await lockLineage(connection);
      if (isLapse) return lapse(connection, link);
      return confirm(connection, link, found as HostAccount, outcomes);
    }),
  );
  await scoreNow(database, backend, due);
}

/** Where only an organisation's owners can write. */
const OWNERS_PLACES: ReadonlySet<CodePlace | null> = new Set<CodePlace>(['profile', 'dns_record']);

/**
 * Returns true for an organisation's proof that no place of its owners confirms now, and that may never have rested on
 * one: a file in a repository or on a website may have made it, or a package, which others can write. It lapses at once.
 * A place of the owners that is only out of reach at present has the usual 60 days.
 */
function restsOnNoOwner(found: HostAccount, { provedBy, hostAccountId, codePlace }: LinkedAccount): boolean {
  const isSame = hostAccountId === null || hostAccountId === found.hostAccountId;
  const isConfirmed = OWNERS_PLACES.has(codePlace) || found.codePlace !== null;
  return found.isOrganisation && isSame && provedBy === 'code' && !isConfirmed;
}

async function lapse(connection: Connection, link: LinkedAccount): Promise<string[]> {
  const lapsed = await saveLapseOf(connection, link);
  return lapsed === null ? [] : withdrawProofs(connection, link.accountId, [lapsed]);
}

/** The account as the host shows it now, under another handle where it was renamed; null where it cannot be read. */
async function readAgain(hosts: Hosts, link: LinkedAccount): Promise<HostAccount | null> {
  const { kind, host, code, hostAccountId } = link;
  const read = (handle: string) => readHostAccount(kind, host, handle, code, { hosts });
  try {
    const found = await read(link.handle).catch((error: unknown) => {
      if (error instanceof HostFailure && (error.kind === 'not_found' || error.kind === 'moved')) return null;
      throw error;
    });
    if (hostAccountId === null || found?.hostAccountId === hostAccountId) return found;
    // Nobody has the handle any more, or somebody else: ours may go by another one.
    const handle = kind === 'repo_host' ? await presentHandle(host, hostAccountId, { hosts }) : null;
    return handle === null ? found : await read(handle);
  } catch (error) {
    if (error instanceof HostFailure) return null;
    throw error;
  }
}

/** The same account, and where a code proved it the code is still published. An unknown id is learnt by the first check. */
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
  // Removed, or proved by another account, while the host was asked.
  if (current === null || current.provedBy === null) return [];
  const { handle, hostAccountId } = found;
  if (kind === 'repo_host' && handle.toLowerCase() !== current.handle.toLowerCase()) {
    await followRename(connection, { accountId, host, hostAccountId, from: current.handle, to: handle });
  }
  return proveAccount(connection, proofOf(link, current.provedBy, found), outcomes);
}
