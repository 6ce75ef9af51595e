import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PublicUrls, RESERVED_SEGMENTS } from '../../../catalog/subjects/public-path.ts';
import { type ResolvedSubject, resolveSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import { getAgentLineage, type LineageEntry } from '../../../directory/agents/get-agent.ts';
import { creatorOf, toSubject } from '../../../directory/lists/link-agents.ts';
import { toListingRelations } from '../../../directory/relations/relations.ts';
import { loadSimilar, rankSimilar } from '../../../directory/similar/find-similar.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { pathOf } from '../../../platform/http/redirect-paths.ts';
import { REPOSITORY_TYPES } from '../../../scoring/subject-type.ts';
import { sendHtml } from '../../components/send-html.ts';
import { artifactDocument } from '../artifact/artifact.page.tsx';
import { loadArtifactPage } from '../artifact/artifact.queries.ts';
import { toCreatorCard } from '../creator/creator.queries.ts';
import { type PageDependencies, PUBLIC_ROUTE, SUBJECT_ROUTE } from '../frame/page-dependencies.ts';
import {
  linkedSubjects,
  linkRelations,
  loadRelationsPage,
  parseRelationsQuery,
} from '../relations/linked-relations.ts';
import { relationsDocument } from '../relations/relations.page.tsx';
import { type ListingPage, listingDocument, type Relative } from './listing.page.tsx';
import { loadListingDetails } from './listing.queries.ts';

/** Registers the pages of listings and artifacts, and the `/{owner}/{repo}` redirects to them. */
export function registerListingPages(
  pages: FastifyInstance,
  { publicUrls, isRefreshed }: PageDependencies,
): void {
  const show = (type: 'agent' | 'skill') => async (request: FastifyRequest, reply: FastifyReply) => {
    const { reads } = request;
    const subject = await resolveSubject(reads, type, pathOf(request.url), publicUrls);
    const list = parseRelationsQuery(request.query as Readonly<Record<string, unknown>>);
    if (list !== null)
      return sendHtml(
        reply,
        relationsDocument(await loadRelationsPage(reads, subject, list, publicUrls), publicUrls),
      );
    const { agentId } = subject;
    if (agentId !== null) {
      const page = await loadListingPage(reads, { ...subject, agentId }, publicUrls);
      return sendHtml(
        reply,
        listingDocument({ ...page, isRefreshed, requestedName: formerName(request, subject) }, publicUrls),
      );
    }
    const page = await loadArtifactPage(reads, subject, publicUrls);
    if (page === null) throw new DomainError('not_found', 'There is no page at this address.');
    return sendHtml(reply, artifactDocument(page, publicUrls));
  };
  // `/a/id/{id}` matches `:owner/:repository` too; the resolver distinguishes them.
  for (const shape of [':owner/:repository', ':owner/:repository/:artifact']) {
    pages.get(`/a/${shape}`, SUBJECT_ROUTE, show('agent'));
    pages.get(`/s/${shape}`, SUBJECT_ROUTE, show('skill'));
  }
  pages.get<{ Params: { owner: string } }>('/:owner/:repository', PUBLIC_ROUTE, async (request, reply) => {
    // A path that begins with one of this site's own segments is not a repository.
    if (RESERVED_SEGMENTS.has(request.params.owner.toLowerCase())) return reply.callNotFound();
    const { publicPath } = await resolveSubject(
      request.reads,
      REPOSITORY_TYPES,
      pathOf(request.url),
      publicUrls,
    );
    return reply.redirect(publicPath, 302);
  });
}

/** Returns `owner/name` of the request path if the repository has another name now; otherwise undefined. */
function formerName(request: FastifyRequest, { repository }: ResolvedSubject): string | undefined {
  const { owner, repository: name } = request.params as { owner: string; repository: string };
  const asked = `${owner}/${name}`;
  if (owner === 'id' || repository === null) return undefined;
  return repository.toLowerCase().endsWith(asked.toLowerCase()) ? undefined : asked;
}

/** Maximum number of descendants on the page; the API returns the rest. */
const MAX_DESCENDANTS = 50;

/**
 * Loads the data of a listing's page in five statements; `agentId` is the subject's `AGT-` id. The first two read the family
 * and the details concurrently. Two more rank similar listings as soon as the family has been read. The fifth reads the
 * similar listings and the paths of all pages that the page links to.
 */
async function loadListingPage(
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
  const { facts, observed, score, newest, original, formerCreators, artifacts } = details;
  const relations = toListingRelations(details.relations);
  const linked = [
    creatorOf(record),
    ...[...ancestors, ...descendants].map((entry) => toSubject(entry.record)),
    ...linkedSubjects(relations.groups, relations.firstSeen),
    ...[newest, original].filter((other) => other !== null),
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
    original: original && {
      path: pathOf(original.id),
      text: original.repository,
      stated: original.stated,
    },
    artifacts: artifacts.map(({ id, name, ...shown }) => ({ ...shown, path: pathOf(id), text: name })),
    similar,
  };
}
