import type { Connection } from '../../platform/database/connect.ts';
import { queryTimeDependent } from '../../platform/database/tracked-dependencies.ts';
import type { VersionedScore } from './score-claims.ts';

/** Current score of a subject as it is stored, with the database's time. */
export interface StoredScoreRow extends Omit<VersionedScore['record'], 'inputs'> {
  version: string;
  inputs: VersionedScore['record']['inputs'];
  /** True if a call has signed the score, so that the version contains the time of the score's own inputs. */
  is_signed_by_call: boolean;
  now: string;
}

// Raw SQL: `score` is a view. Several versions may share evidence, whose inputs then have the time of the first version.
const CURRENT_SCORE = `SELECT utc_text(v.version) AS version, utc_text(ledger_now()) AS now, v.trust, v.confidence, v.lower_bound,
    v.tier, v.status, v.own_trust, v.own_confidence, v.coverage, v.source, v.method_version, v.inputs, v.contributions, v.caps,
    EXISTS (SELECT FROM ended_run r WHERE r.ledger_id = v.ledger_id AND r.signature_sha256 IS NOT NULL) AS is_signed_by_call
  FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version
  WHERE s.id = $1 AND v.inputs -> 'facts' IS NOT NULL`;

/**
 * Reads the current score of a subject with all data that is signed. Returns null if the subject has no score, or if the
 * score was stored without its inputs. `validForMs` returns for how long a signature of the score stays the same.
 */
export async function findStoredScore(
  connection: Connection,
  subjectId: string,
  validForMs: (row: StoredScoreRow) => number,
): Promise<StoredScoreRow | null> {
  const goodForMs = ([row]: readonly StoredScoreRow[]) => (row ? validForMs(row) : Number.POSITIVE_INFINITY);
  const [row] = await queryTimeDependent<StoredScoreRow>(connection, CURRENT_SCORE, [subjectId], goodForMs);
  return row ?? null;
}
