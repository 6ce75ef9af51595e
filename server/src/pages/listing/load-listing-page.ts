import type { Connection } from '../../database/connect.ts';
import { agentVerdict } from '../../directory/agent-verdict.ts';
import { getAgentLineage, type LineageEntry } from '../../directory/get-agent-lineage.ts';
import { creatorOf, linkAgents, toSubject } from '../../directory/lists/link-agents.ts';
import { type ListingRelations, loadListingRelations } from '../../directory/relations/relations.ts';
import { findSimilar } from '../../directory/similar/find-similar.ts';
import { loadListingMarks } from '../../registry/relations/listing-marks.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import { loadCreatorCard } from '../creator/load-creator-card.ts';
import { linkRelations, subjectsOf } from '../relations/page-relations.ts';
import { loadScoreDetail } from '../score/score-detail.repository.ts';
import { findListingFacts, listArtifacts } from './listing-page.repository.ts';
import type { ListingPage, Relative } from './listing-page-data.ts';
import { loadFormerCreators } from './load-former-creators.ts';

/** What a page shows of a family or a repository at most; the API has the rest. */
const SHOWN_DESCENDANTS = 50;
const SHOWN_ARTIFACTS = 100;
const SHOWN_SIMILAR = 5;

/** Everything the page of a listing shows; `agentId` is the subject's. Reads only. */
export async function loadListingPage(
  connection: Connection,
  subject: ResolvedSubject & { agentId: string },
  naming: Naming,
): Promise<ListingPage> {
  const lineage = await getAgentLineage(connection, subject.agentId);
  const { root: record, rootEdge: own, ancestors } = lineage;
  const descendants = lineage.descendants.slice(0, SHOWN_DESCENDANTS);
  const relatives = [...ancestors, ...descendants].map((entry) => entry.record);
  const relations = await loadListingRelations(connection, subject.id);
  const newest = await findNewest(connection, subject.id, relations);
  const named = [...subjectsOf(relations.groups, relations.firstSeen), ...(newest === null ? [] : [newest])];
  const paths = await loadPublicPaths(
    connection,
    [...relatives.map(toSubject), ...named, creatorOf(record)],
    naming,
  );
  const creatorPath = paths.get(record.creatorId) ?? '/';
  const toRelative = (entry: LineageEntry): Relative => ({
    entry,
    link: { path: paths.get(entry.record.subjectId) ?? '/', text: entry.record.name },
    verdict: agentVerdict(entry.record)?.state ?? null,
  });
  return {
    subject,
    record,
    facts: await findListingFacts(connection, subject.id),
    creator: await loadCreatorCard(connection, record.creatorId, creatorPath),
    formerCreators: await loadFormerCreators(connection, subject.id, naming),
    score: await loadScoreDetail(connection, subject.id),
    own,
    ancestors: ancestors.map(toRelative),
    descendants: descendants.map(toRelative),
    moreDescendants: lineage.descendants.length > descendants.length || lineage.truncated,
    relations: {
      ...relations,
      groups: linkRelations(relations.groups, paths, subject.publicPath),
      firstSeen: relations.firstSeen.map((seen) => ({ ...seen, path: paths.get(seen.id) ?? '/' })),
    },
    newest: newest && { path: paths.get(newest.id) ?? '/', text: newest.repository, stated: newest.stated },
    artifacts: await loadArtifacts(connection, subject.id, naming),
    similar: await linkAgents(connection, await findSimilar(connection, record, SHOWN_SIMILAR), naming),
  };
}

/** A chain of renames is followed only from a listing that has an old name. */
async function findNewest(connection: Connection, listingId: string, { groups }: ListingRelations) {
  if (!groups.some(({ kind, direction }) => direction === 'out' && RENAMES.has(kind))) return null;
  return (await loadListingMarks(connection, [listingId])).get(listingId)?.newer ?? null;
}

const RENAMES: ReadonlySet<string> = new Set(['renamed_to', 'probable_rename_to']);

async function loadArtifacts(
  connection: Connection,
  listingId: string,
  naming: Naming,
): Promise<ListingPage['artifacts']> {
  const artifacts = await listArtifacts(connection, listingId, SHOWN_ARTIFACTS);
  const paths = await loadPublicPaths(connection, artifacts, naming);
  return artifacts.map(({ id, name, description }) => ({
    path: paths.get(id) ?? '/',
    text: name,
    description,
  }));
}
