import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loadListingFlags } from '../../../catalog/relations/listing-flags.ts';
import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { RESERVED_SEGMENTS } from '../../../catalog/subjects/public-path.ts';
import { type ResolvedSubject, resolveSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import { getAgentLineage, type LineageEntry } from '../../../directory/agents/get-agent-lineage.ts';
import { creatorOf, linkAgents, toSubject } from '../../../directory/lists/link-agents.ts';
import { type ListingRelations, loadListingRelations } from '../../../directory/relations/relations.ts';
import { findSimilar } from '../../../directory/similar/find-similar.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { pathOf } from '../../../platform/http/redirect-paths.ts';
import { REPOSITORY_TYPES } from '../../../scoring/subject-type.ts';
import { sendHtml } from '../../components/send-html.ts';
import { artifactDocument } from '../artifact/artifact.page.tsx';
import { loadArtifactPage } from '../artifact/load-artifact-page.ts';
import type { FormerCreator } from '../creator/creator.page.tsx';
import { loadCreatorCard } from '../creator/creator.queries.ts';
import { type PageDependencies, PUBLIC_ROUTE, SUBJECT_ROUTE } from '../frame/page-dependencies.ts';
import { linkedSubjects, linkRelations } from '../relations/linked-relations.ts';
import { loadRelationsPage, parseRelationsQuery } from '../relations/load-relations-page.ts';
import { relationsDocument } from '../relations/relations.page.tsx';
import { loadScoreDetail } from '../score/score-detail.queries.ts';
import { listingDocument } from './listing.page.tsx';
import { findListingFacts, listArtifacts, listFormerCreators } from './listing.queries.ts';
import type { ListingPage, Relative } from './listing-view.tsx';

/** Maximum number of former creators on the page. */
const MAX_FORMER_CREATORS = 10;

/** Loads a listing's former creators, latest first, with their pages. */
async function loadFormerCreators(
  connection: Connection,
  listingId: string,
  publicUrls: PublicUrls,
): Promise<FormerCreator[]> {
  const former = await listFormerCreators(connection, listingId, MAX_FORMER_CREATORS);
  const subjects = former.map(({ id }) => ({ id, type: 'creator' as const }));
  const paths = await loadPublicPaths(connection, subjects, publicUrls);
  return former.map(({ id, name, until }) => ({ path: paths.get(id) ?? '/', text: name, until }));
}

/** Maximum number of entries on the page; the API returns the rest. */
const MAX_DESCENDANTS = 50;

const MAX_ARTIFACTS = 100;

const MAX_SIMILAR = 5;

/** Loads the data of a listing's page; `agentId` is the subject's. Only reads. */
async function loadListingPage(
  connection: Connection,
  subject: ResolvedSubject & { agentId: string },
  publicUrls: PublicUrls,
): Promise<ListingPage> {
  const lineage = await getAgentLineage(connection, subject.agentId);
  const { root: record, rootEdge: own, ancestors } = lineage;
  const descendants = lineage.descendants.slice(0, MAX_DESCENDANTS);
  const relatives = [...ancestors, ...descendants].map((entry) => entry.record);
  const relations = await loadListingRelations(connection, subject.id);
  const newest = await findNewest(connection, subject.id, relations);
  const named = [
    ...linkedSubjects(relations.groups, relations.firstSeen),
    ...(newest === null ? [] : [newest]),
  ];
  const paths = await loadPublicPaths(
    connection,
    [...relatives.map(toSubject), ...named, creatorOf(record)],
    publicUrls,
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
    formerCreators: await loadFormerCreators(connection, subject.id, publicUrls),
    score: await loadScoreDetail(connection, subject.id),
    ownEntry: own,
    ancestors: ancestors.map(toRelative),
    descendants: descendants.map(toRelative),
    moreDescendants: lineage.descendants.length > descendants.length || lineage.truncated,
    relations: {
      ...relations,
      groups: linkRelations(relations.groups, paths, subject.publicPath),
      firstSeen: relations.firstSeen.map((seen) => ({ ...seen, path: paths.get(seen.id) ?? '/' })),
    },
    newest: newest && { path: paths.get(newest.id) ?? '/', text: newest.repository, stated: newest.stated },
    artifacts: await loadArtifacts(connection, subject.id, publicUrls),
    similar: await linkAgents(connection, await findSimilar(connection, record, MAX_SIMILAR), publicUrls),
  };
}

/** Follows renames to the newest name. Queries only for listings that were renamed. */
async function findNewest(connection: Connection, listingId: string, { groups }: ListingRelations) {
  if (!groups.some(({ kind, direction }) => direction === 'out' && RENAMES.has(kind))) return null;
  return (await loadListingFlags(connection, [listingId])).get(listingId)?.newer ?? null;
}

const RENAMES: ReadonlySet<string> = new Set(['renamed_to', 'probable_rename_to']);

async function loadArtifacts(
  connection: Connection,
  listingId: string,
  publicUrls: PublicUrls,
): Promise<ListingPage['artifacts']> {
  const artifacts = await listArtifacts(connection, listingId, MAX_ARTIFACTS);
  const paths = await loadPublicPaths(connection, artifacts, publicUrls);
  return artifacts.map(({ id, name, description }) => ({
    path: paths.get(id) ?? '/',
    text: name,
    description,
  }));
}

/** Registers the pages of listings and artifacts, and the `/{owner}/{repo}` redirects to them. */
export function registerListingPages(pages: FastifyInstance, { publicUrls }: PageDependencies): void {
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
        listingDocument({ ...page, requestedName: formerName(request, subject) }, publicUrls),
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
  // `/{owner}/{repo}` redirects to the page of the listing's type.
  pages.get<{ Params: { owner: string } }>('/:owner/:repository', PUBLIC_ROUTE, async (request, reply) => {
    // A path under one of our own top-level segments is not a repository.
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

/** Returns the repository name of the request path if it is a former name of the subject. */
function formerName(request: FastifyRequest, { repository }: ResolvedSubject): string | undefined {
  const { owner, repository: name } = request.params as { owner: string; repository: string };
  const asked = `${owner}/${name}`;
  if (owner === 'id' || repository === null) return undefined;
  return repository.toLowerCase().endsWith(asked.toLowerCase()) ? undefined : asked;
}
