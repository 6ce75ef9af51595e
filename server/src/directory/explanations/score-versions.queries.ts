import {
  HAS_CONFIRMED_NPM,
  HAS_CONFIRMED_PYPI,
  HAS_NPM_ALONE,
  HAS_PYPI_ALONE,
} from '../../catalog/listings/listing-aliases.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { queryTimeDependent } from '../../platform/database/tracked-dependencies.ts';
import type { ScoreVersion } from '../../scoring/explanations/compare-scores.ts';
import type { Tier } from '../../scoring/scoring-backend.ts';
import { MAY_HAVE_FLAGS, PART_COUNT } from '../agents/agent-record.queries.ts';

/** A version of a subject's score as the history lists it. */
export interface ListedVersion {
  /** Time of the score, ISO 8601 with microseconds. */
  version: string;
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  methodVersion: string | null;
  source: string;
}

/** A version of a score with the stored data that explains it. */
export type StoredVersion = ListedVersion & ScoreVersion;

/** Stored data from which links to the sources of a subject's facts are built. */
export interface StoredPlaces {
  listingId: string | null;
  agentId: string | null;
  /** Host of the repository: that of the listing, or of the one that contains an artifact; null for other subjects. */
  host: string | null;
  repositoryUrl: string | null;
  /** Name of the npm package of an artifact, or of a listing if it belongs to no other listing; otherwise null. */
  npmPackage: string | null;
  pypiPackage: string | null;
  isNpmConfirmed: boolean;
  isPypiConfirmed: boolean;
  isPart: boolean;
  /**
   * Kind of the listing. The kind, the description and the number of known parts show whether the listing is a
   * container.
   */
  kind: string | null;
  description: string | null;
  partCount: number;
  /** True if the listing may have flags: a relation connects its whole repository with another one. */
  mayHaveFlags: boolean;
  creatorId: string | null;
  creatorHost: string | null;
  creatorHandle: string | null;
  /** URLs at which facts were observed. Each key is the name of a fact and its source, with a space between them. */
  addresses: Readonly<Record<string, string>>;
  /** Database time of this read. */
  readAt: string;
}

const LISTED = `utc_text(v.version) AS version, v.trust, v.confidence, v.lower_bound AS "lowerBound", v.tier,
  v.method_version AS "methodVersion", v.source`;

const STORED = `${LISTED}, v.subject_type AS type, v.coverage, v.contributions, v.caps, v.inputs_hash AS "inputsHash",
  v.inputs -> 'facts' AS facts, v.inputs ->> 'now' AS "factsAt"`;

const HISTORY = `SELECT ${LISTED} FROM score v JOIN subject s ON s.id = v.subject_id
  WHERE v.subject_id = $1 AND v.version <= s.current_version AND ($2::timestamptz IS NULL OR v.version < $2)
  ORDER BY v.version DESC LIMIT $3`;

/** Lists the versions of a subject's score that are older than `before` (null: all versions), newest first. */
export function listVersions(
  connection: Connection,
  subjectId: string,
  before: string | null,
  limit: number,
): Promise<ListedVersion[]> {
  return connection.query<ListedVersion>(HISTORY, [subjectId, before, limit]);
}

/** Builds SQL for the version of subject `s` that was current at `time`; a null time means now. */
const versionAt = (time: string) => `(SELECT max(p.version) FROM score_version p
    WHERE p.subject_id = s.id AND p.version <= least(s.current_version, coalesce(${time}, s.current_version)))`;

// The last condition excludes subjects without a score: `least` in `versionAt` ignores a null current version.
const PAIR = `SELECT at.place, ${STORED} FROM subject s
  CROSS JOIN LATERAL (SELECT ${versionAt('$3::timestamptz')} AS version) AS later
  CROSS JOIN LATERAL (SELECT CASE WHEN $2::timestamptz IS NULL
      THEN (SELECT max(p.version) FROM score_version p WHERE p.subject_id = s.id AND p.version < later.version)
      ELSE ${versionAt('$2::timestamptz')} END AS version) AS earlier
  CROSS JOIN LATERAL (VALUES ('from', earlier.version), ('to', later.version)) AS at(place, version)
  JOIN score v ON v.subject_id = s.id AND v.version = at.version WHERE s.id = $1 AND s.current_version IS NOT NULL`;

/**
 * Loads the versions that were current at two times. `to` defaults to the current version, and `from` to the one before
 * `to`. A version is null if the subject had none at that time; a default `from` is null if `to` is the first version.
 */
export async function findVersions(
  connection: Connection,
  subjectId: string,
  { from, to }: { from: string | null; to: string | null },
): Promise<{ from: StoredVersion | null; to: StoredVersion | null }> {
  const rows = await connection.query<StoredVersion & { place: 'from' | 'to' }>(PAIR, [subjectId, from, to]);
  const at = (place: 'from' | 'to') => rows.find((row) => row.place === place) ?? null;
  return { from: at('from'), to: at('to') };
}

const PLACES = `l.subject_id AS "listingId", CASE WHEN a.subject_id IS NULL THEN l.agent_id END AS "agentId", l.host, l.repository_url AS "repositoryUrl",
  CASE WHEN a.subject_id IS NOT NULL THEN a.npm_package WHEN ${HAS_NPM_ALONE} THEN l.npm_package END AS "npmPackage",
  CASE WHEN a.subject_id IS NOT NULL THEN a.pypi_package WHEN ${HAS_PYPI_ALONE} THEN l.pypi_package END AS "pypiPackage",
  coalesce(${HAS_CONFIRMED_NPM}, false) AS "isNpmConfirmed", coalesce(${HAS_CONFIRMED_PYPI}, false) AS "isPypiConfirmed",
  a.subject_id IS NOT NULL AS "isPart", l.kind, l.description, ${PART_COUNT} AS "partCount",
  ${MAY_HAVE_FLAGS} AS "mayHaveFlags", c.subject_id AS "creatorId", c.host AS "creatorHost", c.handle AS "creatorHandle",
  (SELECT coalesce(jsonb_object_agg(f.fact || ' ' || f.source, f.url), '{}') FROM observed_fact f
    WHERE f.subject_id = l.subject_id) AS addresses,
  utc_text(ledger_now()) AS "readAt"`;

const EXPLAINED = `SELECT row_to_json(places) AS places, row_to_json(stored) AS score, stored.version = utc_text(s.current_version) AS "isCurrent"
  FROM subject s
  LEFT JOIN artifact a ON a.subject_id = s.id
  LEFT JOIN listing l ON l.subject_id = coalesce(a.listing_id, s.id)
  LEFT JOIN creator c ON c.subject_id = coalesce(l.creator_id, s.id)
  CROSS JOIN LATERAL (SELECT ${PLACES}) AS places
  LEFT JOIN LATERAL (SELECT ${STORED} FROM score v WHERE v.subject_id = s.id AND v.version = ${versionAt('$2::timestamptz')}) AS stored ON true
  WHERE s.id = $1`;

/** A version to explain, with the data for links to the sources of its facts. */
export interface ExplainedRow {
  /** Null without a score, and for a time before the first version. */
  score: StoredVersion | null;
  isCurrent: boolean | null;
  places: StoredPlaces;
}

/**
 * Loads the version that was current at a time, or the current one, with the data for links to the sources of the
 * subject's facts. `goodForMs` returns for how long the advice for raising the score stays the same, because some
 * advice depends on the time of the read. Throws for an unknown subject.
 */
export async function findExplained(
  connection: Connection,
  subjectId: string,
  at: string | null,
  goodForMs: (row: ExplainedRow) => number,
): Promise<ExplainedRow> {
  const [row] = await queryTimeDependent<ExplainedRow>(connection, EXPLAINED, [subjectId, at], ([found]) =>
    found === undefined ? Number.POSITIVE_INFINITY : goodForMs(found),
  );
  if (row === undefined) throw new Error(`the subject ${subjectId} is gone`);
  return row;
}
