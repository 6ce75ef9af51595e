import { remainingProofMs } from '../../../catalog/creators/verified.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { queryTimeDependent } from '../../../platform/database/tracked-dependencies.ts';
import { hasRegistryNamespace } from '../../../scoring/facts/known-accounts.ts';
import { isDefaultScore, type VerdictInput, verdictOf } from '../../../scoring/verdict/verdict.ts';
import type { CreatorCard, ProvedAccount } from './creator.page.tsx';

type CreatorRow = Omit<CreatorCard, 'path' | 'text' | 'proved'> & { name: string | null };
type StoredRow = Omit<CreatorRow, 'restsOnDefaults'> & { judged: VerdictInput | null };

/** Reads a creator with the confirmed score. */
async function findCreator(connection: Connection, creatorId: string): Promise<CreatorRow | null> {
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
  const isBare = judged !== null && isDefaultScore(judged.confidence, verdictOf(judged).reasons);
  return { ...row, restsOnDefaults: isBare };
}

/** Lists the accounts of a creator on other sites whose proofs are currently valid. */
export async function listProvedAccounts(
  connection: Connection,
  creatorId: string,
): Promise<ProvedAccount[]> {
  const rows = await queryTimeDependent<ProvedAccount & { leftMs: number }>(
    connection,
    `SELECT p.kind, p.host, p.handle, utc_text(p.checked_at) AS "checkedAt", ${remainingProofMs('p.checked_at')} AS "leftMs"
     FROM creator c JOIN proved_account p ON p.account_id = c.account_id
     WHERE c.subject_id = $1 ORDER BY p.kind, p.host, lower(p.handle)`,
    [creatorId],
    (found) => Math.min(Number.POSITIVE_INFINITY, ...found.map(({ leftMs }) => leftMs)),
  );
  return rows.map(({ leftMs: _leftMs, ...account }) => account);
}

/** Loads what other pages show of a creator; `path` is the creator's own page. */
export async function loadCreatorCard(
  connection: Connection,
  creatorId: string,
  path: string,
): Promise<CreatorCard> {
  const found = await findCreator(connection, creatorId);
  if (!found) throw new Error(`the creator ${creatorId} of a listing is gone`);
  const { name, ...creator } = found;
  return {
    ...creator,
    path,
    text: name ?? creator.handle,
    proved: await listProvedAccounts(connection, creatorId),
  };
}
