import type { CreatorFacts, Portfolio } from './creator-facts.ts';
import { CREATOR_IDENTITY_COLUMNS, CREATOR_IDENTITY_JOINS } from './creator-identity.sql.ts';
import { type CreatorIdentity, observedAccountAge, observedAccounts } from './creator-identity.ts';
import { factsKind } from './facts-kind.ts';
import { countsForCreator } from './own-listing.condition.ts';
import type { SubjectFacts } from './subject-facts.ts';

interface Row extends CreatorIdentity {
  id: string;
  name: string;
  now: string;
  listings: number;
  /** Σ c and Σ c·t of the listings' scores without their lineage, as shares; null without one. */
  confidence: number | null;
  weightedTrust: number | null;
  oldestVersion: string | null;
  equity: number | null;
  equityComputedAt: string | null;
}

// A repository stands for what is inside of it, so that splitting one into many artifacts gains nothing. LIMIT has the one
// score of each listing looked up by its keys: joined, all scores there are were read for each creator where no statistics
// told yet how many a creator has, as in a new directory.
const SQL = {
  subject: 's.id, s.name',
  columns: `${CREATOR_IDENTITY_COLUMNS}, own.listings, own.confidence,
  own.weighted_trust AS "weightedTrust", utc_text(own.oldest_version) AS "oldestVersion", e.equity,
  utc_text(e.computed_at) AS "equityComputedAt"`,
  tables: `JOIN creator c ON c.subject_id = s.id AND c.merged_into IS NULL ${CREATOR_IDENTITY_JOINS}
  LEFT JOIN creator_equity e ON e.creator_id = s.id
  CROSS JOIN LATERAL (SELECT count(*) AS listings, min(v.version) AS oldest_version,
      sum(v.own_confidence / 100) AS confidence, sum(v.own_confidence / 100 * v.own_trust / 100) AS weighted_trust
    FROM listing l CROSS JOIN LATERAL (SELECT r.version, r.own_confidence, r.own_trust
      FROM subject o JOIN score r ON r.subject_id = o.id AND r.version = o.current_version WHERE o.id = l.subject_id LIMIT 1) v
    WHERE l.creator_id = s.id AND ${countsForCreator('l', 'c')}) own`,
};

/** The facts of creators, by subject id. A subject of another type, or merged into another, is not in the answer. */
export const CREATOR_FACTS = factsKind(SQL, subjectFactsOf);

function subjectFactsOf(row: Row): SubjectFacts<CreatorFacts> {
  const { id, name, equity, equityComputedAt } = row;
  return {
    subject: { id, type: 'creator', name, repository: null },
    facts: {
      accounts: observedAccounts(row, row.creatorConfirmedAt),
      accountCreatedAt: observedAccountAge(row),
      portfolio: portfolioOf(row),
      graphEquity:
        equity === null || equityComputedAt === null
          ? null
          : { value: equity, observedAt: equityComputedAt, source: 'registry' },
    },
    now: new Date(row.now),
  };
}

function portfolioOf({ listings, confidence, weightedTrust, oldestVersion }: Row): Portfolio | null {
  if (confidence === null || weightedTrust === null || oldestVersion === null) return null;
  return {
    listings,
    confidence: steady(confidence),
    weightedTrust: steady(weightedTrust),
    observedAt: oldestVersion,
  };
}

/** Sums in another order differ in their last digits: the same facts must have the same hash. */
function steady(sum: number): number {
  return Math.round(sum * 1e9) / 1e9;
}
