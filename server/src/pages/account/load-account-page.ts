import type { Connection } from '../../database/connect.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import { loadScoreDetail } from '../score/score-detail.repository.ts';
import { findAccountFacts } from './account-page.repository.ts';
import type { AccountPage } from './account-page-data.ts';

/** Everything the page of a social or messaging account shows, or null where there is none. Reads only. */
export async function loadAccountPage(
  connection: Connection,
  subject: ResolvedSubject,
  naming: Naming,
): Promise<AccountPage | null> {
  const found = await findAccountFacts(connection, subject.id);
  if (!found) return null;
  const { ownerId, ...facts } = found;
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
