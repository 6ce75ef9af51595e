import type { Connection } from '../../database/connect.ts';
import type { CreatorCard, ProvedAccount } from '../page-data.ts';

/** What other pages show of a creator, with the address of the creator's own page. */
export async function loadCreatorCard(
  connection: Connection,
  creatorId: string,
  path: string,
): Promise<CreatorCard> {
  const [row] = await connection.query<
    Omit<CreatorCard, 'path' | 'text' | 'proved'> & { name: string | null }
  >(
    `SELECT c.host, c.handle, c.display_name AS name, c.verified, v.trust, v.confidence,
       v.lower_bound AS "lowerBound"
     FROM creator c JOIN subject s ON s.id = c.subject_id
     LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE c.subject_id = $1`,
    [creatorId],
  );
  if (!row) throw new Error(`the creator ${creatorId} of a listing is gone`);
  const { name, ...creator } = row;
  return { ...creator, path, text: name ?? row.handle, proved: await loadProved(connection, creatorId) };
}

/** The accounts elsewhere that are proved to be a creator's, by proofs that count now. */
export function loadProved(connection: Connection, creatorId: string): Promise<ProvedAccount[]> {
  return connection.query<ProvedAccount>(
    `SELECT p.kind, p.host, p.handle, utc_text(p.checked_at) AS "checkedAt"
     FROM creator c JOIN proved_account p ON p.account_id = c.account_id
     WHERE c.subject_id = $1 ORDER BY p.kind, p.host, lower(p.handle)`,
    [creatorId],
  );
}
