import { batchSource } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { ObservedFact, ObservedFactName } from './observed-facts.ts';

const COLUMNS =
  'subject_id uuid, fact text, source text, value jsonb, url text, license text, observed_at timestamptz';

// Reads the stored value before the insertion, because RETURNING returns only the new one. Skips a fact whose value and
// time are already stored, because every write invalidates cached responses.
const upsertFrom = (rows: string, renews: boolean) => `
WITH given AS MATERIALIZED (
  SELECT r.*, o.value IS DISTINCT FROM r.value AS changes,
    CASE WHEN r.observed_at IS NULL THEN ${renews} ELSE least(r.observed_at, ledger_now()) <> o.observed_at END AS renews
  FROM ${rows} r
  LEFT JOIN observed_fact o ON o.subject_id = r.subject_id AND o.fact = r.fact AND o.source = r.source),
stored AS (
  INSERT INTO observed_fact (subject_id, fact, source, value, url, license, observed_at)
  SELECT subject_id, fact, source, value, url, license, least(observed_at, ledger_now()) FROM given WHERE changes OR renews
  ON CONFLICT (subject_id, fact, source) DO UPDATE SET value = excluded.value, url = excluded.url,
    license = excluded.license, observed_at = excluded.observed_at)
SELECT DISTINCT subject_id AS id FROM given WHERE changes`;

/**
 * Inserts or replaces facts, and returns the subjects whose values changed. An unchanged value with a new `observedAt`
 * gets this time; a time in the future counts as now. Without `observedAt`, an unchanged value gets the present time if
 * `renews` is true, and is not written otherwise. A batch must have at most one value for each subject, fact and source.
 */
export async function upsertFacts(
  connection: Connection,
  facts: readonly ObservedFact[],
  { renews }: { renews: boolean } = { renews: true },
): Promise<string[]> {
  const records = facts.map(({ subjectId, observedAt = null, ...fact }) => ({
    subject_id: subjectId,
    observed_at: observedAt,
    ...fact,
  }));
  const { from, bind } = await batchSource(connection, COLUMNS, records);
  const rows = await connection.query<{ id: string }>(upsertFrom(from, renews), bind);
  return rows.map(({ id }) => id);
}

/** Deletes one fact of a source from subjects; returns the subjects that had it. */
export async function deleteFacts(
  connection: Connection,
  subjectIds: readonly string[],
  fact: ObservedFactName,
  source: string,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `DELETE FROM observed_fact WHERE subject_id = ANY($1::uuid[]) AND fact = $2 AND source = $3
     RETURNING subject_id AS id`,
    [subjectIds, fact, source],
  );
  return rows.map(({ id }) => id);
}

/** A listing named by a row of a batch, with its stored Scorecard result; null if none is stored. */
interface ScoredListing {
  /** Position of the row in the batch. */
  place: number;
  id: string;
  scorecard: { score: number; ranAt: string | null } | null;
}

/** Loads the listings of these repositories, each with its stored Scorecard result from a source. */
export function loadScorecards(
  connection: Connection,
  repositories: readonly { host: string; repository: string }[],
  source: string,
): Promise<ScoredListing[]> {
  const rows = repositories.map(({ host, repository }, place) => ({ place, host, repository }));
  return connection.query<ScoredListing>(
    `SELECT r.place, l.subject_id AS id, o.value AS scorecard
     FROM jsonb_to_recordset($1::jsonb) AS r(place int, host text, repository text)
     JOIN listing l ON lower(l.host) = lower(r.host) AND lower(l.repository) = lower(r.repository)
     LEFT JOIN observed_fact o ON o.subject_id = l.subject_id AND o.fact = 'scorecard' AND o.source = $2`,
    [JSON.stringify(rows), source],
  );
}
