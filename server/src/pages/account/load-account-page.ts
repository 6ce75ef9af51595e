import type { Connection } from '../../database/connect.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import { loadScoreDetail } from '../score/score-detail.repository.ts';
import type { AccountFactsShown, AccountPage } from './account-page-data.ts';

interface Row extends AccountFactsShown {
  ownerId: string | null;
}

/** Everything the page of a social or messaging account shows, or null where there is none. Reads only. */
export async function loadAccountPage(
  connection: Connection,
  subject: ResolvedSubject,
  naming: Naming,
): Promise<AccountPage | null> {
  const [row] = await connection.query<Row>(
    `SELECT kind, platform, p.handle, url, former_handles AS "formerHandles", coalesce(owner_handle, c.handle) AS "ownerHandle",
       coalesce(c.merged_into, c.subject_id) AS "ownerId", utc_text(account_created_at) AS "createdAt", verified_mark AS "verifiedMark",
       audience::float8 AS audience, audience_day_growth AS "audienceDayGrowth", engagement,
       utc_text(last_post_at) AS "lastPostAt", cross_link AS "crossLink", scam_flag AS "scamFlag",
       utc_text(observed_at) AS "observedAt", source
     FROM platform_account p LEFT JOIN creator c ON c.subject_id = p.owner_id WHERE p.subject_id = $1`,
    [subject.id],
  );
  if (!row) return null;
  const { ownerId, ...facts } = row;
  const owners = ownerId === null ? [] : [{ id: ownerId, type: 'creator' as const }];
  const paths = await loadPublicPaths(connection, owners, naming);
  const path = paths.get(ownerId ?? '');
  return {
    subject,
    facts,
    owner: path === undefined ? null : { path, text: facts.ownerHandle ?? path },
    score: await loadScoreDetail(connection, subject.id),
  };
}
