import type { Connection } from '../../platform/database/connect.ts';
import type { PackageStanding } from '../../scoring/fact-types.ts';
import type { PackageName } from '../advisories/ecosystems.ts';
import type { ObservedFacts } from './observed-facts.ts';

/** A confirmed package of a listing, with what is stored about it. */
export interface ConfirmedPackage extends PackageName {
  /** Id of the listing. */
  readonly id: string;
  /** Published version as last read from this registry; null if it was never read. */
  readonly published: ObservedFacts['published_package'] | null;
  /** Standing stored for the listing before it is judged again; null if there is none. */
  readonly former: PackageStanding | null;
}

// A name that only a list states is left out, because a stranger may own the package of this name.
const CONFIRMED = `
SELECT l.subject_id AS id, p.ecosystem, p.name, v.value AS published, s.value AS former
FROM listing l
CROSS JOIN LATERAL (VALUES ('npm', CASE WHEN l.npm_confirmed THEN l.npm_package END),
  ('pypi', CASE WHEN l.pypi_confirmed THEN l.pypi_package END)) AS p (ecosystem, name)
LEFT JOIN LATERAL (SELECT o.value FROM observed_fact o WHERE o.subject_id = l.subject_id AND o.fact = 'published_package'
  AND o.value ->> 'ecosystem' = p.ecosystem ORDER BY o.observed_at DESC, o.source LIMIT 1) AS v ON true
LEFT JOIN observed_fact s ON s.subject_id = l.subject_id AND s.fact = 'package_standing' AND s.source = $2
WHERE l.subject_id = ANY ($1::uuid[]) AND p.name IS NOT NULL ORDER BY l.subject_id, p.ecosystem`;

/** Loads the confirmed packages of listings, at most one of each registry per listing. */
export function loadConfirmedPackages(
  connection: Connection,
  listingIds: readonly string[],
  source: string,
): Promise<ConfirmedPackage[]> {
  return connection.query<ConfirmedPackage>(CONFIRMED, [listingIds, source]);
}

/** Returns the next listings with a confirmed package after `after`, in the order of their ids. */
export async function nextWithConfirmedPackage(
  connection: Connection,
  after: string,
  most: number,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM listing WHERE subject_id > $1 AND (npm_confirmed OR pypi_confirmed)
     ORDER BY subject_id LIMIT $2`,
    [after, most],
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns listings whose first sound version was released more than `days` days ago, and whose score was made before
 * these days had passed. Compares the times as ISO 8601 texts, because the index `observed_fact_sound_since` contains
 * texts.
 */
export async function listingsPastDays(
  connection: Connection,
  days: number,
  most: number,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT o.subject_id AS id FROM observed_fact o JOIN subject s ON s.id = o.subject_id
     WHERE o.fact = 'package_standing' AND o.value ->> 'soundSince' IS NOT NULL
       AND o.value ->> 'soundSince' < to_char((ledger_now() - make_interval(days => $1::int)) AT TIME ZONE 'UTC',
         'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
       AND s.current_version <= (o.value ->> 'soundSince')::timestamptz + make_interval(days => $1::int)
       AND NOT EXISTS (SELECT FROM score_due d WHERE d.subject_id = o.subject_id)
     ORDER BY o.subject_id LIMIT $2`,
    [days, most],
  );
  return rows.map(({ id }) => id);
}
