import type { Connection } from '../database/connect.ts';
import { holdsBareHandle, holdsBareRepository } from './bare-name.sql.ts';
import type { Naming } from './naming.ts';
import type { PathParts } from './public-path.ts';
import type { SubjectType } from './subject-type.ts';

/** A label to look up; among labels of one kind the lowest place wins. */
export interface AskedLabel {
  label: string;
  type: SubjectType;
  place: number;
}

export interface FoundSubject extends PathParts {
  name: string;
  source: string;
  sourceId: string;
}

/** Bearers read of one display name: a popular one has thousands, and two make it ambiguous. An address has few. */
const BEARERS_READ = 50;

/**
 * The subjects that the best of the labels lead to: by kind (identity, former, name), then by place. One: it is meant;
 * several: the text is ambiguous, and `most` of them are told; none: it is unknown.
 */
export async function findSubjects(
  connection: Connection,
  asked: readonly AskedLabel[],
  most: number,
  naming: Naming,
): Promise<FoundSubject[]> {
  if (asked.length === 0) return [];
  return connection.query<FoundSubject>(
    `WITH named AS (
       SELECT bearer.subject_id, rank() OVER (
         ORDER BY array_position(ARRAY['identity', 'former', 'name'], bearer.kind), asked.place) AS rank
       FROM (VALUES ${asked.map((_, index) => rowFrom(FIRST_LABEL + index * 3))}) AS asked (label, type, place)
       CROSS JOIN LATERAL (SELECT subject_id, kind FROM subject_alias
         WHERE label = asked.label AND subject_type = asked.type
         LIMIT CASE WHEN asked.label ~ '[/:@]' THEN NULL ELSE ${BEARERS_READ} END) AS bearer
     ), best AS (SELECT DISTINCT subject_id FROM named WHERE rank = 1 ORDER BY subject_id LIMIT $1)
     SELECT s.id, s.type, s.name, l.agent_id AS "agentId", a.name AS "artifactName",
       coalesce(c.handle, p.handle) AS handle, coalesce(l.host, home.host, c.host, p.platform) AS host,
       coalesce(l.repository, home.repository) AS repository,
       coalesce(l.source, a.source, p.source, first.source, 'registration') AS source,
       coalesce(l.registry_row_id, a.registry_row_id, p.registry_row_id, s.id) AS "sourceId",
       CASE WHEN c.subject_id IS NOT NULL THEN ${holdsBareHandle('c', '($2::text[])')}
            WHEN a.subject_id IS NOT NULL THEN ${holdsBareRepository('home', '($2::text[])')}
            WHEN p.subject_id IS NOT NULL THEN false
            ELSE ${holdsBareRepository('l', '($2::text[])')} END AS "holdsBareName"
     FROM best JOIN subject s ON s.id = best.subject_id
     LEFT JOIN listing l ON l.subject_id = s.id
     LEFT JOIN artifact a ON a.subject_id = s.id
     LEFT JOIN listing home ON home.subject_id = a.listing_id
     LEFT JOIN creator c ON c.subject_id = s.id
     LEFT JOIN platform_account p ON p.subject_id = s.id
     LEFT JOIN LATERAL (SELECT source FROM listing WHERE creator_id = c.subject_id
       ORDER BY listed_at, subject_id LIMIT 1) AS first ON true
     ORDER BY repository, s.name, s.id`,
    [most, naming.hosts, ...asked.flatMap(({ label, type, place }) => [label, type, place])],
  );
}

/** A row of its own for each label: an array would hide from a kept plan how few they are. */
const rowFrom = (first: number) => `($${first}::text, $${first + 1}::text, $${first + 2}::int)`;
/** After the values that every call has. */
const FIRST_LABEL = 3;
