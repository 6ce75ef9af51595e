import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RESERVED_SEGMENTS } from '../../../catalog/subjects/public-path.ts';
import { type ResolvedSubject, resolveSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { pathOf } from '../../../platform/http/redirect-paths.ts';
import { REPOSITORY_TYPES } from '../../../scoring/subject-type.ts';
import { sendHtml } from '../../components/send-html.ts';
import { artifactDocument } from '../artifact/artifact.page.tsx';
import { loadArtifactPage } from '../artifact/artifact.queries.ts';
import { type PageDependencies, PUBLIC_ROUTE, SUBJECT_ROUTE } from '../frame/page-dependencies.ts';
import { loadRelationsPage, parseRelationsQuery } from '../relations/linked-relations.ts';
import { relationsDocument } from '../relations/relations.page.tsx';
import { listingDocument } from './listing.page.tsx';
import { loadListingPage } from './load-listing-page.ts';

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

/** Returns the repository name of the request path if the subject has another name now; otherwise undefined. */
function formerName(request: FastifyRequest, { repository }: ResolvedSubject): string | undefined {
  const { owner, repository: name } = request.params as { owner: string; repository: string };
  const asked = `${owner}/${name}`;
  if (owner === 'id' || repository === null) return undefined;
  return repository.toLowerCase().endsWith(asked.toLowerCase()) ? undefined : asked;
}
