import { batchJson, batchRows } from '../../database/batch.condition.ts';
import type { Connection } from '../../database/connect.ts';
import type { Facts } from '../../scoring/scoring-backend.ts';

/** What a listing's current score was made of. */
export interface ScoredFacts {
  id: string;
  type: 'agent' | 'skill';
  npmPackage: string | null;
  pypiPackage: string | null;
  source: string;
  methodVersion: string | null;
  facts: Facts | null;
  scoredAt: Date;
}

/** The evidence of these listings' current scores; those without one are not in the answer. In no order. */
export function loadScoredFacts(connection: Connection, ids: readonly string[]): Promise<ScoredFacts[]> {
  return connection.query<ScoredFacts>(
    `SELECT l.subject_id AS id, l.type, l.npm_package AS "npmPackage", l.pypi_package AS "pypiPackage", v.source,
       v.method_version AS "methodVersion", v.inputs -> 'facts' AS facts, v.version AS "scoredAt"
     FROM (${batchRows('id uuid')}) AS asked JOIN listing l ON l.subject_id = asked.id JOIN subject s ON s.id = l.subject_id
     JOIN score v ON v.subject_id = s.id AND v.version = s.current_version`,
    [batchJson(ids.map((id) => ({ id })))],
  );
}
