import { expect } from 'vitest';
import type { Database } from '../../src/platform/database/connect.ts';
import type { ChangingHost } from './changing-host.ts';

/** True state of a listing, independent of the registry. */
export interface TrueState {
  repositoryId: string;
  /** Account that first listed it; null for an import. */
  registrant: string | null;
  /** True if the values stored with the listing distinguish its repository from others. */
  isTellable: boolean;
}

/** One sequence of steps: a host, the accounts here by role, and the true state of their listings. */
export interface Scenario {
  database: Database;
  host: ChangingHost;
  people: string[];
  /** Accounts here by the id of their host account. */
  personOf: Map<string, string>;
  links: { accountId: string; id: string }[];
  truths: Map<string, TrueState>;
}

export interface Stored {
  id: string;
  repository: string;
  hostRepositoryId: string | null;
  hostOwnerId: string | null;
  doubt: string | null;
  verified: boolean;
  accountId: string | null;
  isRead: boolean;
  stars: number | null;
  /** The host's ids that the creator's account has proved. */
  proved: string[];
  /** Proved ids, and those whose proof waits for its next check since their handle passed on. */
  linked: string[];
}

/** Returns the listings of a sequence as stored in the registry. */
export async function stored({ database, truths }: Scenario): Promise<Stored[]> {
  return database.query<Stored>(
    `SELECT l.subject_id AS id, l.repository, l.host_repository_id AS "hostRepositoryId", l.host_owner_id AS "hostOwnerId",
       l.identity_doubt AS doubt, l.verified, c.account_id AS "accountId", l.metrics_observed_at IS NOT NULL AS "isRead", l.stars,
       ARRAY(SELECT p.host_account_id FROM proved_account p WHERE p.account_id = c.account_id
         AND p.kind = 'repo_host' AND p.host = l.host) AS proved,
       ARRAY(SELECT k.host_account_id FROM linked_account k WHERE k.account_id = c.account_id
         AND k.kind = 'repo_host' AND k.host = l.host AND k.removed_at IS NULL) AS linked
     FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE l.subject_id = ANY ($1::uuid[]) ORDER BY 1`,
    [[...truths.keys()]],
  );
}

const sameTruth = ({ truths }: Scenario, one: Stored, other: Stored) =>
  truths.get(one.id)?.repositoryId === truths.get(other.id)?.repositoryId;

/**
 * Checks after a step that every listing belongs to its owner by the host's ids at the last reading, or is unclaimed.
 */
export async function checkOwnership(play: Scenario): Promise<Stored[]> {
  const listings = await stored(play);
  for (const each of listings) {
    const truth = play.truths.get(each.id) as TrueState;
    const { hostRepositoryId, hostOwnerId, doubt, accountId, verified, proved, linked, repository } = each;
    // A registration stores nothing that distinguishes its repository from others until the first reading.
    if (!truth.isTellable && hostRepositoryId !== null && doubt === null) {
      Object.assign(truth, { repositoryId: hostRepositoryId, isTellable: true });
    }
    const shown = play.host.shown.get(truth.repositoryId) ?? [];
    const isTwice = listings.some((other) => other.id !== each.id && sameTruth(play, other, each));
    // With two listings of one repository, a request cannot be assigned to one of them.
    const owners = isTwice ? shown : shown.slice(-1);
    const isOwners = (ids: readonly string[]) => owners.some((owner) => ids.includes(owner));
    const isVerifiedForOther = verified && !isOwners(proved);
    // An import under a proved handle belongs to its account, unverified, until it is read.
    const isReadOfOther = hostOwnerId !== null && !isOwners(linked);
    const isWithOther = accountId !== null && accountId !== truth.registrant && isReadOfOther;
    expect({ repository, isVerifiedForOther, isWithOther }).toEqual({
      repository,
      isVerifiedForOther: false,
      isWithOther: false,
    });
  }
  return listings;
}

/**
 * Checks listings after a fresh reading: the owner who has proved it has the listing, its facts are of its own repository,
 * and no old name makes it look deleted.
 */
export async function checkFreshReading(play: Scenario, listings: readonly Stored[]): Promise<void> {
  const proofs = await play.database.query<{ accountId: string; hostId: string }>(
    `SELECT account_id AS "accountId", host_account_id AS "hostId" FROM proved_account WHERE kind = 'repo_host'`,
  );
  for (const { id, hostRepositoryId, doubt, accountId, verified, isRead, repository, stars } of listings) {
    const truth = play.truths.get(id) as TrueState;
    // A name that was freed may lead to another repository by now: its facts are never those of a known one.
    const isOwn = hostRepositoryId === null || stars === null || `${stars}` === hostRepositoryId;
    expect({ repository, hostRepositoryId, stars, isOwn }).toMatchObject({ isOwn: true });
    const now = play.host.repositories.find((each) => each.id === truth.repositoryId);
    if (now === undefined || hostRepositoryId !== now.id) continue;
    expect({ repository, isRead }).toEqual({ repository, isRead: true });
    const name = play.host.nameOf(now);
    // Two listings of one repository cannot both have its name.
    if (!listings.some((other) => other.id !== id && other.repository === name))
      expect(repository).toBe(name);
    const prover = proofs.find(({ hostId }) => hostId === now.ownerId)?.accountId;
    const isKept = truth.registrant !== null && truth.registrant === accountId;
    if (doubt !== null || prover === undefined || isKept) continue;
    expect({ repository, verified, accountId }).toEqual({ repository, verified: true, accountId: prover });
  }
}
