import { FLAGS_OF_ASKED, type FlagRow } from '../../../catalog/relations/listing-flags.fragment.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { queryTimeDependent } from '../../../platform/database/tracked-dependencies.ts';
import { type CreatorRow, creatorCardOf, proofsStableForMs } from '../creator/creator.queries.ts';
import { type ScoreDetail, scoreDetailOf, scoreStableForMs } from '../score/score-detail.queries.ts';

/** Builds SQL for a PyPI package name, normalised as the index does. */
const pypiName = (listing: string) => `lower(regexp_replace(${listing}.pypi_package, '[-_.]+', '-', 'g'))`;

// Only a version proves that the package exists, because sources read it from npm or PyPI. Lists also name packages
// that do not exist.
const isConfirmed = (registry: 'npm' | 'pypi') => `coalesce(l.imported ->> '${registry}Version' <> ''
         AND l.imported ->> '${registry}Package' = l.${registry}_package, false)`;

/** Facts on a listing's page that its record lacks. */
export interface ListingFacts {
  host: string;
  homepage: string | null;
  /** Null if several listings name the same package, because its owner is then unclear. */
  npmPackage: string | null;
  pypiPackage: string | null;
  /**
   * True if the imported row gives a version of this package. A version comes only from npm's registry, so the package
   * exists.
   */
  isNpmConfirmed: boolean;
  /** True if the imported row gives a version of this package. A version comes only from PyPI's index, so the package exists. */
  isPypiConfirmed: boolean;
  /** Name in the MCP registry, according to a list. */
  mcpRegistryName: string | null;
  /** Time when stars, forks, issues and last commit were read; null if the source gives none. */
  figuresAt: string | null;
}

/** Parts of a listing's page that can be loaded with only its id. */
export interface ListingDetails {
  facts: ListingFacts;
  creator: CreatorRow;
  /** Null without a confirmed score. */
  score: ScoreDetail | null;
  /** Former creators, latest first. A creator that was merged into the present one does not count. */
  formerCreators: { id: string; name: string; until: string }[];
  /** Agents and skills inside the repository, by name. */
  artifacts: { id: string; type: 'agent' | 'skill'; name: string; description: string }[];
  /** Listing of the same repository under its newest name; null if this is the newest. */
  newest: FlagRow | null;
}

/** Maximum number of former creators on the page. */
const MAX_FORMER_CREATORS = 10;
/** Maximum number of artifacts on the page; the API returns the rest. */
const MAX_ARTIFACTS = 100;

const FACTS = `
  SELECT l.host, l.homepage, CASE WHEN NOT EXISTS (SELECT FROM listing o
      WHERE o.npm_package = l.npm_package AND o.subject_id <> l.subject_id) THEN l.npm_package END AS "npmPackage",
    CASE WHEN NOT EXISTS (SELECT FROM listing o
      WHERE o.pypi_package IS NOT NULL AND ${pypiName('o')} = ${pypiName('l')} AND o.subject_id <> l.subject_id) THEN l.pypi_package END AS "pypiPackage",
    ${isConfirmed('npm')} AS "isNpmConfirmed", ${isConfirmed('pypi')} AS "isPypiConfirmed",
    l.imported ->> 'mcpRegistryName' AS "mcpRegistryName", utc_text(l.metrics_observed_at) AS "figuresAt"`;

const FORMER_CREATORS = `
  SELECT c.subject_id AS id, coalesce(c.display_name, c.handle) AS name, utc_text(max(h.until)) AS until
  FROM listing_creator_history h JOIN creator past ON past.subject_id = h.creator_id
  JOIN creator c ON c.subject_id = coalesce(past.merged_into, past.subject_id)
  WHERE h.listing_id = l.subject_id AND c.subject_id <> l.creator_id
  GROUP BY c.subject_id ORDER BY max(h.until) DESC LIMIT ${MAX_FORMER_CREATORS}`;

const ARTIFACTS = `
  SELECT a.subject_id AS id, a.type, a.name, a.description FROM artifact a WHERE a.listing_id = l.subject_id
  ORDER BY lower(a.name), a.subject_id LIMIT ${MAX_ARTIFACTS}`;

/** One statement, because a page waits for each round trip: all parts are looked up by the listing's id. */
const DETAILS = `WITH RECURSIVE asked AS (SELECT 0 AS n, $1::uuid AS id), ${FLAGS_OF_ASKED}
  SELECT (SELECT row_to_json(facts) FROM (${FACTS}) AS facts) AS facts,
    (SELECT row_to_json(creator) FROM (${creatorCardOf('l.creator_id')}) AS creator) AS creator,
    (SELECT row_to_json(score) FROM (${scoreDetailOf('l.subject_id')}) AS score) AS score,
    (SELECT coalesce(json_agg(former), '[]') FROM (${FORMER_CREATORS}) AS former) AS "formerCreators",
    (SELECT coalesce(json_agg(artifact), '[]') FROM (${ARTIFACTS}) AS artifact) AS artifacts,
    (SELECT row_to_json(flag) FROM flag WHERE mark = 'newer') AS newest
  FROM listing l WHERE l.subject_id = $1`;

/** Loads the details of a listing; throws if the listing is gone. */
export async function loadListingDetails(connection: Connection, listingId: string): Promise<ListingDetails> {
  const [details] = await queryTimeDependent<ListingDetails>(connection, DETAILS, [listingId], ([found]) =>
    found
      ? Math.min(scoreStableForMs(found.score), proofsStableForMs(found.creator.proved))
      : Number.POSITIVE_INFINITY,
  );
  if (!details) throw new Error(`the listing ${listingId} is gone`);
  return details;
}
