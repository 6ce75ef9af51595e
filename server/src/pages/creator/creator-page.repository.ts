import type { Connection } from '../../database/connect.ts';
import { queryForNow } from '../../database/recorded-reads.ts';
import { proofLeftMs } from '../../registry/creators/proof-left.condition.ts';
import { hasRegistryNamespace } from '../../scoring/facts/registry-namespace.condition.ts';
import { type Judged, restsOnDefaults, verdictOf } from '../../scoring/verdict/verdict.ts';
import type { CreatorCard, ProvedAccount } from './creator-page-data.ts';

type CreatorRow = Omit<CreatorCard, 'path' | 'text' | 'proved'> & { name: string | null };
type StoredRow = Omit<CreatorRow, 'restsOnDefaults'> & { judged: Judged | null };

/** A creator with their confirmed score. */
export async function findCreator(connection: Connection, creatorId: string): Promise<CreatorRow | null> {
  const [found] = await connection.query<StoredRow>(
    `SELECT c.host, c.handle, c.display_name AS name, c.verified, v.trust, v.confidence,
       v.lower_bound AS "lowerBound", ${hasRegistryNamespace('c')} AS "hasRegistryNamespace",
       CASE WHEN v.trust IS NOT NULL THEN jsonb_build_object('confidence', v.confidence,
         'contributions', v.contributions, 'caps', v.caps, 'facts', v.inputs -> 'facts', 'factsAt', v.inputs -> 'now') END AS judged
     FROM creator c JOIN subject s ON s.id = c.subject_id
     LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE c.subject_id = $1`,
    [creatorId],
  );
  if (!found) return null;
  const { judged, ...row } = found;
  const isBare = judged !== null && restsOnDefaults(judged.confidence, verdictOf(judged).reasons);
  return { ...row, restsOnDefaults: isBare };
}

/** The accounts elsewhere that are proved to be a creator's, by proofs that count now. */
export async function listProved(connection: Connection, creatorId: string): Promise<ProvedAccount[]> {
  const rows = await queryForNow<ProvedAccount & { leftMs: number }>(
    connection,
    `SELECT p.kind, p.host, p.handle, utc_text(p.checked_at) AS "checkedAt", ${proofLeftMs('p.checked_at')} AS "leftMs"
     FROM creator c JOIN proved_account p ON p.account_id = c.account_id
     WHERE c.subject_id = $1 ORDER BY p.kind, p.host, lower(p.handle)`,
    [creatorId],
    (found) => Math.min(Number.POSITIVE_INFINITY, ...found.map(({ leftMs }) => leftMs)),
  );
  return rows.map(({ leftMs: _leftMs, ...account }) => account);
}
