import type { CreatorFacts, Portfolio } from '../fact-types.ts';
import { countsForCreator } from './counts-for-creator.fragment.ts';
import {
  CREATOR_IDENTITY_COLUMNS,
  CREATOR_IDENTITY_JOINS,
  type CreatorIdentity,
  observedAccountAge,
  observedAccounts,
} from './creator-identity.ts';
import type { SubjectFacts } from './facts-kind.ts';
import { defineFactsKind } from './facts-kind.ts';

interface Row extends CreatorIdentity {
  id: string;
  name: string;
  now: string;
  listings: number;
  /**
   * Σ c and Σ c·t over the listings' scores without lineage, where confidence c and trust t are shares from 0 to 1;
   * null if no listing has a score.
   */
  confidence: number | null;
  weightedTrust: number | null;
  oldestVersion: string | null;
  equity: number | null;
  equityComputedAt: string | null;
}

// Only repositories count, not the artifacts inside them, so that splitting a repository into many artifacts gains
// nothing. LIMIT forces an index lookup of each listing's score. With a plain join, PostgreSQL reads all scores for
// each creator while the table has no statistics, as in a new directory.
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

/**
 * Reads the facts of creators by subject id. Subjects of other types, and creators that were merged into another one,
 * are omitted.
 */
export const CREATOR_FACTS = defineFactsKind(SQL, subjectFactsOf);

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
    confidence: roundSum(confidence),
    weightedTrust: roundSum(weightedTrust),
    observedAt: oldestVersion,
  };
}

/** Rounds a sum, because the order of summation changes its last digits and the same facts must have the same hash. */
function roundSum(sum: number): number {
  return Math.round(sum * 1e9) / 1e9;
}
