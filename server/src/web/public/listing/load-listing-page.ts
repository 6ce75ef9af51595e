import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import { getAgentLineage, type LineageEntry } from '../../../directory/agents/get-agent.ts';
import { creatorOf, toSubject } from '../../../directory/lists/link-agents.ts';
import { toListingRelations } from '../../../directory/relations/relations.ts';
import { loadSimilar, rankSimilar } from '../../../directory/similar/find-similar.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { toCreatorCard } from '../creator/creator.queries.ts';
import { linkedSubjects, linkRelations } from '../relations/linked-relations.ts';
import type { ListingPage, Relative } from './listing.page.tsx';
import { loadListingDetails } from './listing.queries.ts';

/** Maximum number of descendants on the page; the API returns the rest. */
const MAX_DESCENDANTS = 50;

/**
 * Loads the data of a listing's page; `agentId` is the subject's `AGT-` id. Sends five read statements. The family and
 * the details are read concurrently; two statements that rank similar listings follow as soon as the record has been
 * read. The last one reads the similar listings and the paths of everything that the page links to.
 */
export async function loadListingPage(
  connection: Connection,
  subject: ResolvedSubject & { agentId: string },
  publicUrls: PublicUrls,
): Promise<ListingPage> {
  const family = getAgentLineage(connection, subject.agentId);
  const [lineage, details, ranked] = await Promise.all([
    family,
    loadListingDetails(connection, subject.id),
    family.then(({ root }) => rankSimilar(connection, root)),
  ]);
  const { root: record, ancestors } = lineage;
  const descendants = lineage.descendants.slice(0, MAX_DESCENDANTS);
  const { facts, observed, score, newest, formerCreators, artifacts } = details;
  const relations = toListingRelations(details.relations);
  const linked = [
    creatorOf(record),
    ...[...ancestors, ...descendants].map((entry) => toSubject(entry.record)),
    ...linkedSubjects(relations.groups, relations.firstSeen),
    ...(newest === null ? [] : [newest]),
    ...formerCreators.map(({ id }) => ({ id, type: 'creator' as const })),
    ...artifacts,
  ];
  const { similar, paths } = await loadSimilar(connection, ranked, linked, publicUrls);
  const pathOf = (id: string) => paths.get(id) ?? '/';
  const toRelative = (entry: LineageEntry): Relative => ({
    entry,
    link: { path: pathOf(entry.record.subjectId), text: entry.record.name },
    verdict: agentVerdict(entry.record)?.state ?? null,
  });
  return {
    subject,
    record,
    facts,
    observed,
    creator: toCreatorCard(details.creator, pathOf(record.creatorId)),
    formerCreators: formerCreators.map(({ id, name, until }) => ({ path: pathOf(id), text: name, until })),
    score,
    ownEntry: lineage.rootEdge,
    ancestors: ancestors.map(toRelative),
    descendants: descendants.map(toRelative),
    moreDescendants: lineage.descendants.length > descendants.length || lineage.truncated,
    relations: {
      ...relations,
      groups: linkRelations(relations.groups, paths, subject.publicPath),
      firstSeen: relations.firstSeen.map((seen) => ({ ...seen, path: pathOf(seen.id) })),
    },
    newest: newest && { path: pathOf(newest.id), text: newest.repository, stated: newest.stated },
    artifacts: artifacts.map(({ id, name, ...shown }) => ({ ...shown, path: pathOf(id), text: name })),
    similar,
  };
}
