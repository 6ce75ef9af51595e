import { batchRows } from '../../platform/batching/batch-source.ts';
import { createBatchedRead } from '../../platform/batching/batched-read.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { ReasonCode } from '../../scoring/verdict/reasons.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';
import {
  bestOf,
  KEY,
  MAX_READ,
  OTHER_END_COLUMNS,
  OTHER_END_TABLES,
  relationsOfFile,
  relationsOfListing,
  selectRelationRows,
} from './relations.fragment.ts';

/** Maximum listings of one creator that are read. */
const MAX_LISTINGS = 1_000;

/**
 * Selects relations between listings of creator `id` and other repositories: for each kind and direction, one page of
 * pairs of a listing and a repository. Pairs whose relation concerns the most files come first. A directed relation
 * between two of the creator's own listings appears once, at its `from` end. An undirected relation between two of them
 * does not appear. At most MAX_READ rows of `relation` are read, and only these are counted.
 */
const OF_CREATOR = `SELECT asked.n, ranked.direction, ranked.kind, ranked.of_files AS "ofFiles", ranked.others, 0 AS "allFiles",
  ranked.files, ranked.path, ranked.evidence, ranked.source, utc_text(ranked.since) AS since, ranked.stated,
  home.subject_id AS "ownId", home.type AS "ownType", home.repository AS "ownRepository", ${OTHER_END_COLUMNS}
FROM (${batchRows('id uuid, kind text, direction text, most int, skip int')}) AS asked CROSS JOIN LATERAL (
  WITH statements AS MATERIALIZED (
    SELECT own.id AS own_id, s.* FROM
      (SELECT l.subject_id AS id, asked.kind FROM listing l WHERE l.creator_id = asked.id LIMIT ${MAX_LISTINGS}) AS own
    CROSS JOIN LATERAL (${selectRelationRows('from', 'true', 'own')} UNION ALL ${selectRelationRows('to', 'true', 'own')}) AS s
    WHERE s.direction = 'out' OR NOT EXISTS (SELECT FROM listing m WHERE m.subject_id = s.other_id AND m.creator_id = asked.id)
    LIMIT ${MAX_READ}),
  grouped AS (SELECT direction, kind, own_id, other_id, min(other_name) AS other_name,
      count(DISTINCT coalesce(own_path, other_path)) AS files, min(coalesce(own_path, other_path)) AS path,
      ${bestOf('evidence')}, ${bestOf('source')}, min(created_at) AS since, bool_or(stated) AS stated
    FROM statements GROUP BY direction, kind, own_id, other_id, ${KEY})
  SELECT grouped.*, bool_or(files > 0) OVER every AS of_files, count(*) OVER every AS others,
    row_number() OVER (every ORDER BY files DESC, other_id IS NULL, lower(other_name), own_id) AS place
  FROM grouped WINDOW every AS (PARTITION BY direction, kind)) AS ranked
JOIN listing home ON home.subject_id = ranked.own_id
${OTHER_END_TABLES}
WHERE ranked.place > asked.skip AND ranked.place <= asked.skip + asked.most
  AND (asked.direction IS NULL OR ranked.direction = asked.direction)
ORDER BY asked.n, ranked.kind, ranked.direction, ranked.place`;

/** A related repository or file. `others`, `allFiles` and `ofFiles` are equal in all rows of one kind and direction. */
export interface RelationRow {
  direction: 'out' | 'in' | 'both';
  kind: string;
  ofFiles: boolean;
  others: number;
  allFiles: number;
  files: number;
  path: string | null;
  evidence: string | null;
  source: string | null;
  since: string | null;
  stated: boolean;
  otherId: string | null;
  agentId: string | null;
  type: 'agent' | 'skill' | null;
  name: string | null;
  repository: string;
  trust: number | null;
  confidence: number | null;
  verdict: VerdictState | null;
  reasons: ReasonCode[] | null;
  /**
   * Number of other repositories whose creation date is known. This field and the next five are set only for relations
   * of a file.
   */
  dated?: number;
  /** Creation date of the file's repository. */
  ownCreatedAt?: string | null;
  /** Creation date of the related repository. */
  createdAt?: string | null;
  /** Artifact of the related file. */
  artifactId?: string | null;
  artifactType?: 'agent' | 'skill' | null;
  artifactName?: string | null;
  /**
   * The creator's listing that the relation is about. Set only for relations of a creator, like the next two fields.
   */
  ownId?: string;
  ownType?: 'agent' | 'skill';
  ownRepository?: string;
}

/**
 * The repository in which some of a listing's files first appeared: of the repositories that have these files and whose
 * creation date is known, the oldest.
 */
export interface FirstSeen {
  id: string;
  type: 'agent' | 'skill';
  repository: string;
  files: number;
  createdAt: string;
}

/** A relation of a listing; the first row of a group of identical files says where these first appeared. */
export interface ListingRelationRow extends RelationRow {
  firstSeen: { skills: number; copiedSkills: number; repositories: FirstSeen[] } | null;
}

/** Selects one page of relations of a kind and a direction. Null selects every kind or every direction. */
export interface RelationSelection {
  kind: string | null;
  direction: string | null;
  most: number;
  skip: number;
}

const ofListings = createBatchedRead<RelationSelection & { id: string }, RelationRow>({
  sql: relationsOfListing(batchRows('id uuid, kind text, direction text, most int, skip int')),
  maxBatch: 8,
});
const ofFiles = createBatchedRead<RelationSelection & { id: string; paths: readonly string[] }, RelationRow>({
  sql: relationsOfFile(batchRows('id uuid, paths text[], kind text, direction text, most int, skip int')),
  maxBatch: 8,
});
const ofCreators = createBatchedRead<RelationSelection & { id: string }, RelationRow>({
  sql: OF_CREATOR,
  maxBatch: 8,
});

export function findListingRelations(
  connection: Connection,
  listingId: string,
  asked: RelationSelection,
): Promise<RelationRow[]> {
  return ofListings(connection, { id: listingId, ...asked });
}

/** Returns the relations of the file with any of these paths. */
export function findFileRelations(
  connection: Connection,
  listingId: string,
  paths: readonly string[],
  asked: RelationSelection,
): Promise<RelationRow[]> {
  return ofFiles(connection, { id: listingId, paths, ...asked });
}

/** Returns the relations between a creator's listings and others. */
export function findCreatorRelations(
  connection: Connection,
  creatorId: string,
  asked: RelationSelection,
): Promise<RelationRow[]> {
  return ofCreators(connection, { id: creatorId, ...asked });
}
