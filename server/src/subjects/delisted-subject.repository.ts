import type { Connection } from '../database/connect.ts';
import type { AskedLabel } from './found-subject.condition.ts';
import type { SubjectType } from './subject-type.ts';

/** A subject that an operator took out of the directory, with its repository or as part of it. */
export interface DelistedSubject {
  id: string;
  type: SubjectType;
  name: string;
  /** Null for what is inside a delisted repository. */
  agentId: string | null;
  host: string;
  repository: string;
  source: string;
  sourceId: string;
  reason: string;
  /** `2026-11-22` */
  day: string;
}

/** The delisted subjects that the best of these labels led to, by kind and then by place, as living ones are found. */
export function findDelisted(
  connection: Connection,
  asked: readonly AskedLabel[],
): Promise<DelistedSubject[]> {
  return connection.query<DelistedSubject>(
    `SELECT s.id, s.type, s.name, own.agent_id AS "agentId", d.host, d.repository, d.reason,
       to_char(d.delisted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
       coalesce(part.value ->> 'source', d.kept -> 'listing' -> 0 ->> 'source') AS source,
       coalesce(part.value ->> 'registry_row_id', d.kept -> 'listing' -> 0 ->> 'registry_row_id') AS "sourceId"
     FROM (SELECT DISTINCT n.subject_id, n.delisting_id, rank() OVER (
           ORDER BY array_position(ARRAY['identity', 'former', 'name'], n.kind), asked.place) AS rank
         FROM unnest($1::text[], $2::text[], $3::int[]) AS asked (label, type, place)
         JOIN delisted_name n ON n.label = asked.label AND n.subject_type = asked.type) named
     JOIN delisting d ON d.id = named.delisting_id
     JOIN subject s ON s.id = named.subject_id
     LEFT JOIN delisting own ON own.id = d.id AND own.subject_id = s.id
     LEFT JOIN LATERAL jsonb_array_elements(d.kept -> 'artifact') part ON part.value ->> 'subject_id' = s.id::text
     WHERE named.rank = 1 ORDER BY own.id NULLS LAST, s.id`,
    [asked.map(({ label }) => label), asked.map(({ type }) => type), asked.map(({ place }) => place)],
  );
}
