import type { Connection } from '../../database/connect.ts';
import { getIdentity } from '../../directory/get-identity.ts';
import { listCreatorAgents } from '../../directory/lists/creator-agents.ts';
import { linkAgents } from '../../directory/lists/link-agents.ts';
import { loadCreatorRelations } from '../../directory/relations/relations.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import { PAGE_SIZE } from '../list/page-query.ts';
import { linkRelations, subjectsOf } from '../relations/page-relations.ts';
import { loadScoreDetail } from '../score/score-detail.repository.ts';
import { listProved } from './creator-page.repository.ts';
import type { CreatorPage } from './creator-page-data.ts';

/** Everything the page of a creator shows, with the listings after the first `offset`; throws not_found. */
export async function loadCreatorPage(
  connection: Connection,
  handle: string,
  naming: Naming,
  offset = 0,
): Promise<CreatorPage> {
  const identity = await getIdentity(connection, handle, naming);
  const records = await listCreatorAgents(connection, identity.id, { limit: PAGE_SIZE, offset });
  const relations = await loadCreatorRelations(connection, identity.id);
  const paths = await loadPublicPaths(connection, subjectsOf(relations), naming);
  return {
    identity,
    score: await loadScoreDetail(connection, identity.id),
    proved: await listProved(connection, identity.id),
    listings: await linkAgents(connection, records, naming),
    offset,
    relations: linkRelations(relations, paths, identity.publicPath),
  };
}
