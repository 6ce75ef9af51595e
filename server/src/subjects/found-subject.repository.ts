import { batchJson, batchRows } from '../database/batch.condition.ts';
import type { Connection } from '../database/connect.ts';
import { type PlacedRow, readTogether } from '../database/read-together.ts';
import { sharedRoom } from '../database/shared-room.ts';
import { holdsBareHandle, holdsBareRepository } from './bare-name.condition.ts';
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
/** Who asks for more labels at once, a page of receipts, goes alone. */
const MOST_TOGETHER = 32;

interface Asked {
  labels: readonly AskedLabel[];
  most: number;
  hosts: readonly string[];
}

const SQL = `WITH c AS MATERIALIZED (${batchRows('labels jsonb, most int, hosts text[]')}),
named AS (SELECT c.n, bearer.subject_id, rank() OVER (PARTITION BY c.n
      ORDER BY array_position(ARRAY['identity', 'former', 'name'], bearer.kind), asked.place) AS rank
    FROM c CROSS JOIN LATERAL (SELECT * FROM jsonb_to_recordset(c.labels) AS l(label text, type text, place int)
      WHERE l.place BETWEEN 0 AND 9999) AS asked
    CROSS JOIN LATERAL (SELECT subject_id, kind FROM subject_alias
      WHERE label = asked.label AND subject_type = asked.type
      LIMIT CASE WHEN asked.label ~ '[/:@]' THEN NULL ELSE ${BEARERS_READ} END) AS bearer),
best AS MATERIALIZED (SELECT n, subject_id, row_number() OVER (PARTITION BY n ORDER BY subject_id) AS place
    FROM (SELECT DISTINCT n, subject_id FROM named WHERE rank = 1) AS distinct_one)
SELECT c.n, s.id, s.type, s.name, l.agent_id AS "agentId", a.name AS "artifactName",
  coalesce(maker.handle, p.handle) AS handle, coalesce(l.host, home.host, maker.host, p.platform) AS host,
  coalesce(l.repository, home.repository) AS repository,
  coalesce(l.source, a.source, p.source, first.source, 'registration') AS source,
  coalesce(l.registry_row_id, a.registry_row_id, p.registry_row_id, s.id) AS "sourceId",
  CASE WHEN maker.subject_id IS NOT NULL THEN ${holdsBareHandle('maker', 'c.hosts')}
       WHEN a.subject_id IS NOT NULL THEN ${holdsBareRepository('home', 'c.hosts')}
       WHEN p.subject_id IS NOT NULL THEN false
       ELSE ${holdsBareRepository('l', 'c.hosts')} END AS "holdsBareName"
FROM best JOIN c ON c.n = best.n AND best.place <= c.most
JOIN subject s ON s.id = best.subject_id
LEFT JOIN listing l ON l.subject_id = s.id
LEFT JOIN artifact a ON a.subject_id = s.id
LEFT JOIN listing home ON home.subject_id = a.listing_id
LEFT JOIN creator maker ON maker.subject_id = s.id
LEFT JOIN platform_account p ON p.subject_id = s.id
LEFT JOIN LATERAL (SELECT source FROM listing WHERE creator_id = maker.subject_id
  ORDER BY listed_at, subject_id LIMIT 1) AS first ON true
ORDER BY c.n, repository, s.name, s.id`;

const findTogether = readTogether<Asked, FoundSubject>({
  sql: SQL,
  laneOf: ({ labels }) => labels[0]?.label ?? '',
  roomOf: sharedRoom,
});

/**
 * The subjects that the best of the labels lead to: by kind (identity, former, name), then by place. One: it is meant;
 * several: the text is ambiguous, and `most` of them are told; none: it is unknown. What is asked while other questions
 * wait for their answer goes in one statement.
 */
export async function findSubjects(
  connection: Connection,
  asked: readonly AskedLabel[],
  most: number,
  { hosts }: Naming,
): Promise<FoundSubject[]> {
  if (asked.length === 0) return [];
  const question = { labels: asked, most, hosts };
  const rows =
    asked.length > MOST_TOGETHER
      ? await connection.query<PlacedRow<FoundSubject>>(SQL, [batchJson([question])])
      : await findTogether(connection, question);
  return rows.map(({ n: _n, ...subject }) => subject);
}
