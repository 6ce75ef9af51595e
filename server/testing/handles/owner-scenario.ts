import { expect } from 'vitest';
import type { Database } from '../../src/platform/database/connect.ts';
import type { ChangingHost } from './changing-host.ts';

/** True state of a listing, as the test knows it without the registry. */
export interface TrueState {
  repositoryId: string;
  /** Account that first listed it; null for an import. */
  registrant: string | null;
  /** True if the registry stores a value that identifies the listing's repository. */
  isTellable: boolean;
}

/** One sequence of steps: a host, the directory accounts by role, and the true state of their listings. */
export interface Scenario {
  database: Database;
  host: ChangingHost;
  people: string[];
  /** Directory account ids by the id of the person's host account. */
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
  /** Proved ids, and ids whose proof is suspended because another account proved the handle. */
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
 * Checks after a step that every listing is unclaimed or belongs to the account that has proved the owner id of its
 * last reading.
 */
export async function checkOwnership(play: Scenario): Promise<Stored[]> {
  const listings = await stored(play);
  for (const each of listings) {
    const truth = play.truths.get(each.id) as TrueState;
    const { hostRepositoryId, hostOwnerId, doubt, accountId, verified, proved, linked, repository } = each;
    // A registration stores no id of its repository; the first reading does.
    if (!truth.isTellable && hostRepositoryId !== null && doubt === null) {
      Object.assign(truth, { repositoryId: hostRepositoryId, isTellable: true });
    }
    const shown = play.host.shown.get(truth.repositoryId) ?? [];
    const isTwice = listings.some((other) => other.id !== each.id && sameTruth(play, other, each));
    // With two listings of one repository, a request cannot be assigned to one of them.
    const owners = isTwice ? shown : shown.slice(-1);
    const isOwners = (ids: readonly string[]) => owners.some((owner) => ids.includes(owner));
    const isVerifiedForOther = verified && !isOwners(proved);
    // A listing imported under a proved handle belongs to the account with the proof, unverified, until its repository
    // is read.
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
 * Checks listings after a fresh reading: each belongs to the account that has proved its owner, has the facts of its
 * own repository, and does not look deleted because of an old name.
 */
export async function checkFreshReading(play: Scenario, listings: readonly Stored[]): Promise<void> {
  const proofs = await play.database.query<{ accountId: string; hostId: string }>(
    `SELECT account_id AS "accountId", host_account_id AS "hostId" FROM proved_account WHERE kind = 'repo_host'`,
  );
  for (const { id, hostRepositoryId, doubt, accountId, verified, isRead, repository, stars } of listings) {
    const truth = play.truths.get(id) as TrueState;
    // A freed name may now lead to another repository, whose facts must not be stored for this listing.
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
