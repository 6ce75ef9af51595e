import type { Connection } from '../../../platform/database/connect.ts';
import type { DisplayedAccountFacts } from './account.page.tsx';

/**
 * Reads the stored facts of a social or messaging account. If a source states an owner who is a creator in this
 * directory, also reads that creator's id.
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
