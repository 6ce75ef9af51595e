import { HAS_NPM_ALONE, HAS_PYPI_ALONE } from '../../../catalog/listings/listing-aliases.ts';
import type { OtherPackage } from '../../../catalog/packages/confirm-package.ts';
import { DECLARED_SERVER, type DeclaredServer } from '../../../catalog/packages/registry-entry.fragment.ts';
import { FLAGS_OF_ASKED, type FlagRow } from '../../../catalog/relations/listing-flags.fragment.ts';
import { FIRST_PAGE, relationsWithFirstSeen } from '../../../directory/relations/relations.fragment.ts';
import type { ListingRelationRow } from '../../../directory/relations/relations.queries.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { queryTimeDependent } from '../../../platform/database/tracked-dependencies.ts';
import { type CreatorRow, creatorCardOf, proofsStableForMs } from '../creator/creator.queries.ts';
import { type ScoreDetail, scoreDetailOf, scoreStableForMs } from '../score/score-detail.queries.ts';
import { SHOWN_FACTS, type ShownFact } from './repository-section.tsx';
import type { PackageFacts } from './versions-section.tsx';

/** Published version of the listing's package, by registry; absent if the registry was not read. */
export type PublishedVersions = Readonly<Partial<Record<'npm' | 'pypi', PublishedVersion>>>;

interface PublishedVersion {
  readonly version: string;
  readonly isDeprecated: boolean | null;
  readonly readAt: string;
}

/** Facts on a listing's page that its record lacks. */
export interface ListingFacts {
  host: string;
  homepage: string | null;
  /** Package name; null if unknown, if another listing owns the package, or if several listings claim it equally. */
  npmPackage: string | null;
  pypiPackage: string | null;
  /** True if the repository and the package name each other; otherwise only a list names the package. */
  isNpmConfirmed: boolean;
  isPypiConfirmed: boolean;
  /** True if the registry has no such package. */
  isNpmMissing: boolean;
  isPypiMissing: boolean;
  /** Published versions of confirmed packages that were read. */
  published: PublishedVersions;
  /** Packages of other registries that the MCP registry names. */
  otherPackages: readonly OtherPackage[];
  /** Name in the MCP registry, according to a list. */
  mcpRegistryName: string | null;
  /** True if a stored entry of the MCP registry has this name, names the repository, and is not deleted. */
  isInRegistry?: boolean;
  /** Time when stars, forks, issues and last commit were read; null if the source gives none. */
  figuresAt: string | null;
  /** True if this server read these figures from the host; otherwise a third-party list states them. */
  isRead: boolean;
  /** Third-party list that states the figures, or the repository's host if this server read them there. */
  figuresSource: string;
  /** Facts about the confirmed package. */
  packageFacts: PackageFacts;
  /** Server that the owner declares in the MCP registry; null without an entry in the owner's namespace. */
  declared: DeclaredServer | null;
}

/** An agent or skill inside a repository, with its current score; trust and confidence are null without a score. */
export interface InsideArtifact {
  id: string;
  type: 'agent' | 'skill';
  name: string;
  description: string;
  trust: number | null;
  confidence: number | null;
}

/** Parts of a listing's page that can be loaded with only its id. */
export interface ListingDetails {
  facts: ListingFacts;
  /** Facts that were observed at their sources. */
  observed: ShownFact[];
  creator: CreatorRow;
  /** Null without a stored score. */
  score: ScoreDetail | null;
  /** Former creators, latest first. A creator that was merged into the present one does not count. */
  formerCreators: { id: string; name: string; until: string }[];
  /** Agents and skills inside the repository, by name. */
  artifacts: InsideArtifact[];
  /** Listing of the same repository under its newest name; null if this is the newest. */
  newest: FlagRow | null;
  /** Listing of the original, if this repository is known to be a copy; otherwise null. */
  original: FlagRow | null;
  /** Relations to other repositories, the first ones of each kind. */
  relations: ListingRelationRow[];
}

/** Maximum number of former creators on the page. */
const MAX_FORMER_CREATORS = 10;
/** Maximum number of artifacts on the page; the API returns the rest. */
const MAX_ARTIFACTS = 100;

const IS_READ = `EXISTS (SELECT FROM repository_refresh h
    WHERE h.listing_id = l.subject_id AND h.confirmed_at = l.metrics_observed_at)`;

const FACTS = `
  SELECT l.host, l.homepage, CASE WHEN ${HAS_NPM_ALONE} THEN l.npm_package END AS "npmPackage",
    CASE WHEN ${HAS_PYPI_ALONE} THEN l.pypi_package END AS "pypiPackage",
    l.npm_confirmed AS "isNpmConfirmed", l.pypi_confirmed AS "isPypiConfirmed",
    l.npm_missing AS "isNpmMissing", l.pypi_missing AS "isPypiMissing", l.other_packages AS "otherPackages",
    (SELECT coalesce(jsonb_object_agg(f.source, jsonb_build_object('version', f.value ->> 'version',
       'isDeprecated', f.value -> 'deprecated', 'readAt', utc_text(f.observed_at))), '{}')
     FROM observed_fact f WHERE f.subject_id = l.subject_id AND f.fact = 'published_package') AS published,
    l.imported ->> 'mcpRegistryName' AS "mcpRegistryName",
    EXISTS (SELECT FROM mcp_registry_entry r WHERE lower(r.host) = lower(l.host) AND lower(r.repository) = lower(l.repository)
      AND lower(r.server_name) = lower(l.imported ->> 'mcpRegistryName') AND r.status <> 'deleted') AS "isInRegistry", utc_text(l.metrics_observed_at) AS "figuresAt",
    ${IS_READ} AS "isRead",
    CASE WHEN ${IS_READ} THEN l.host ELSE coalesce(l.imported ->> 'metricsSource', l.source) END AS "figuresSource",
    json_build_object(${packageFacts()}) AS "packageFacts",
    (SELECT row_to_json(declared) FROM (${DECLARED_SERVER}) AS declared) AS declared`;

const OBSERVED = `
  SELECT o.fact, o.value, o.source, o.url, utc_text(o.observed_at) AS "observedAt" FROM observed_fact o
  WHERE o.subject_id = l.subject_id AND o.fact = ANY ($2::text[]) ORDER BY o.fact, o.source`;

/** Builds SQL for the fields of `PackageFacts`, each with the latest reading of its fact. */
function packageFacts(): string {
  const names = ['package_standing', 'package_advisories', 'published_package'];
  return names
    .map(
      (fact) => `'${fact}', (SELECT json_build_object('value', o.value, 'at', utc_text(o.observed_at))
      FROM observed_fact o WHERE o.subject_id = l.subject_id AND o.fact = '${fact}'
      ORDER BY o.observed_at DESC, o.source LIMIT 1)`,
    )
    .join(', ');
}

const FORMER_CREATORS = `
  SELECT c.subject_id AS id, coalesce(c.display_name, c.handle) AS name, utc_text(max(h.until)) AS until
  FROM listing_creator_history h JOIN creator past ON past.subject_id = h.creator_id
  JOIN creator c ON c.subject_id = coalesce(past.merged_into, past.subject_id)
  WHERE h.listing_id = l.subject_id AND c.subject_id <> l.creator_id
  GROUP BY c.subject_id ORDER BY max(h.until) DESC LIMIT ${MAX_FORMER_CREATORS}`;

const ARTIFACTS = `
  SELECT a.subject_id AS id, a.type, a.name, a.description, v.trust, v.confidence FROM artifact a
  JOIN subject s ON s.id = a.subject_id LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version
  WHERE a.listing_id = l.subject_id
  ORDER BY lower(a.name), a.subject_id LIMIT ${MAX_ARTIFACTS}`;

const RELATIONS = relationsWithFirstSeen(`SELECT 0 AS n, $1::uuid AS id, ${FIRST_PAGE}`);

/** Reads all details of a listing by its id, in one statement, because a page waits for each round trip. */
const DETAILS = `WITH RECURSIVE asked AS (SELECT 0 AS n, $1::uuid AS id), ${FLAGS_OF_ASKED}
  SELECT (SELECT row_to_json(facts) FROM (${FACTS}) AS facts) AS facts,
    (SELECT coalesce(json_agg(observed), '[]') FROM (${OBSERVED}) AS observed) AS observed,
    (SELECT row_to_json(creator) FROM (${creatorCardOf('l.creator_id')}) AS creator) AS creator,
    (SELECT row_to_json(score) FROM (${scoreDetailOf('l.subject_id')}) AS score) AS score,
    (SELECT coalesce(json_agg(former), '[]') FROM (${FORMER_CREATORS}) AS former) AS "formerCreators",
    (SELECT coalesce(json_agg(artifact), '[]') FROM (${ARTIFACTS}) AS artifact) AS artifacts,
    (SELECT row_to_json(flag) FROM flag WHERE mark = 'newer') AS newest,
    (SELECT row_to_json(flag) FROM flag WHERE mark = 'copy') AS original,
    (SELECT coalesce(json_agg(relation), '[]') FROM (${RELATIONS}) AS relation) AS relations
  FROM listing l WHERE l.subject_id = $1`;

/** Loads the details of a listing; throws if the listing is gone. */
export async function loadListingDetails(connection: Connection, listingId: string): Promise<ListingDetails> {
  const [details] = await queryTimeDependent<ListingDetails>(
    connection,
    DETAILS,
    [listingId, SHOWN_FACTS],
    ([found]) =>
      found
        ? Math.min(scoreStableForMs(found.score), proofsStableForMs(found.creator.proved))
        : Number.POSITIVE_INFINITY,
  );
  if (!details) throw new Error(`the listing ${listingId} is gone`);
  return details;
}
