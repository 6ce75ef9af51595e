import { remainingProofMs } from '../../../catalog/creators/verified.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { queryTimeDependent } from '../../../platform/database/tracked-dependencies.ts';
import { hasRegistryNamespace } from '../../../scoring/facts/creator-identity.ts';
import { isDefaultScore, type VerdictInput, verdictOf } from '../../../scoring/verdict/verdict.ts';
import type { DisplayedAccountFacts } from './account.page.tsx';
import type { CreatorCard, ProvedAccount } from './creator.page.tsx';

/** A proved account; `leftMs` is how long its proof remains valid without another check. */
type StoredAccount = ProvedAccount & { leftMs: number };

/** A creator as `creatorCardOf` selects it. */
export interface CreatorRow extends Omit<CreatorCard, 'path' | 'text' | 'restsOnDefaults' | 'proved'> {
  name: string | null;
  judged: VerdictInput | null;
  proved: StoredAccount[];
}

/** Builds SQL that selects the accounts of a creator that have a valid proof. */
const provedAccountsOf = (creatorId: string) => `
  SELECT p.kind, p.host, p.handle, utc_text(p.checked_at) AS "checkedAt", ${remainingProofMs('p.checked_at')} AS "leftMs"
  FROM creator proved JOIN proved_account p ON p.account_id = proved.account_id
  WHERE proved.subject_id = ${creatorId} ORDER BY p.kind, p.host, lower(p.handle)`;

/**
 * Builds SQL that selects what other pages show of a creator, including its current score. `creatorId` is an SQL
 * expression, so that larger statements can contain this one.
 */
export const creatorCardOf = (creatorId: string) => `
  SELECT c.host, c.handle, c.display_name AS name, c.verified, v.trust, v.confidence,
    v.lower_bound AS "lowerBound", ${hasRegistryNamespace('c')} AS "hasRegistryNamespace",
    CASE WHEN v.trust IS NOT NULL THEN jsonb_build_object('confidence', v.confidence,
      'contributions', v.contributions, 'caps', v.caps, 'facts', v.inputs -> 'facts', 'factsAt', v.inputs -> 'now') END AS judged,
    (SELECT coalesce(json_agg(proof), '[]') FROM (${provedAccountsOf('c.subject_id')}) AS proof) AS proved
  FROM creator c JOIN subject s ON s.id = c.subject_id
  LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE c.subject_id = ${creatorId}`;

/** Converts a row of `creatorCardOf` to the data that other pages show; `path` is the path of the creator's page. */
export function toCreatorCard({ name, judged, proved, ...creator }: CreatorRow, path: string): CreatorCard {
  const restsOnDefaults = judged !== null && isDefaultScore(judged.confidence, verdictOf(judged).reasons);
  return { ...creator, restsOnDefaults, path, text: name ?? creator.handle, proved: proved.map(toProved) };
}

/** Lists the accounts of a creator whose proofs are currently valid. */
export async function listProvedAccounts(
  connection: Connection,
  creatorId: string,
): Promise<ProvedAccount[]> {
  const rows = await queryTimeDependent(connection, provedAccountsOf('$1'), [creatorId], proofsStableForMs);
  return rows.map(toProved);
}

/** Returns the milliseconds until the first of these proofs expires; Infinity without proofs. */
export function proofsStableForMs(proved: readonly StoredAccount[]): number {
  return Math.min(Number.POSITIVE_INFINITY, ...proved.map(({ leftMs }) => leftMs));
}

function toProved({ leftMs: _leftMs, ...account }: StoredAccount): ProvedAccount {
  return account;
}

/**
 * Reads the stored facts of a social or messaging account; null if it does not exist. `ownerId` is the id of the stated
 * owner, or of the creator into which the owner was merged; null if the owner is not a creator in this directory.
 */
export async function findAccountFacts(
  connection: Connection,
  subjectId: string,
): Promise<(DisplayedAccountFacts & { ownerId: string | null }) | null> {
  const [row = null] = await connection.query<DisplayedAccountFacts & { ownerId: string | null }>(
    `SELECT kind, platform, p.handle, url, former_handles AS "formerHandles", coalesce(owner_handle, c.handle) AS "ownerHandle",
       coalesce(c.merged_into, c.subject_id) AS "ownerId", utc_text(account_created_at) AS "createdAt", verified_mark AS "verifiedMark",
       audience::float8 AS audience, audience_day_growth AS "audienceDayGrowth", engagement,
       utc_text(last_post_at) AS "lastPostAt", cross_link AS "crossLink", scam_flag AS "scamFlag",
       utc_text(observed_at) AS "observedAt", source
     FROM platform_account p LEFT JOIN creator c ON c.subject_id = p.owner_id WHERE p.subject_id = $1`,
    [subjectId],
  );
  return row;
}
