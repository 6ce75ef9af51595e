import type { Connection } from '../database/connect.ts';
import type { SubjectType } from '../subjects/subject-type.ts';
import { METHOD } from './embedded/rs-1.0.0.ts';

/** Which scores are to be made again. */
export interface Staleness {
  types: readonly SubjectType[];
  /** Who scores now: scores of another backend are stale. */
  source: string;
  /** The embedded method's version; null where another system decides over its own. */
  methodVersion: string | null;
  /** Everything older than this is stale too; null for none. */
  before: string | null;
}

/**
 * Ids of subjects without a score, or with one past its validity, of another backend or method version, older than
 * `before`, or noted as due; in id order. What was delisted keeps the score that it had.
 */
export async function loadStale(
  connection: Connection,
  { types, source, methodVersion, before }: Staleness,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT s.id FROM subject s LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version
     WHERE s.type = ANY ($1::text[]) AND (v.version IS NULL OR v.source <> $2
       OR ($3::text IS NOT NULL AND v.method_version IS DISTINCT FROM $3)
       OR v.version <= ledger_now() - $4::int * interval '1 day' OR v.version < $5::timestamptz
       OR EXISTS (SELECT FROM score_due d WHERE d.subject_id = s.id))
       AND NOT EXISTS (SELECT FROM delisted_name n WHERE n.subject_id = s.id)
     ORDER BY s.id`,
    [types, source, methodVersion, METHOD.validForDays, before],
  );
  return rows.map(({ id }) => id);
}

/** When the recompute of everything in this scope began: now, or when an interrupted one did. Six decimals. */
export async function beginRun(connection: Connection, scope: string): Promise<string> {
  const [run] = await connection.query<{ startedAt: string }>(
    `INSERT INTO recompute_run (scope) VALUES ($1) ON CONFLICT (scope) DO UPDATE SET scope = excluded.scope
     RETURNING utc_text(started_at) AS "startedAt"`,
    [scope],
  );
  if (!run) throw new Error('a recompute was begun and is not there');
  return run.startedAt;
}

/** The recompute of everything in this scope is complete. */
export async function endRun({ models, transaction }: Connection, scope: string): Promise<void> {
  await models.RecomputeRun.destroy({ where: { scope }, transaction });
}
