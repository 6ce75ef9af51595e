import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain-error.ts';
import { pathOf } from '../../http/path-of.ts';
import { FIXED_SEGMENTS } from '../../subjects/public-path.ts';
import { type ResolvedSubject, resolveSubject } from '../../subjects/resolve-subject.ts';
import { REPOSITORY_TYPES } from '../../subjects/subject-type.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { artifactDocument } from '../artifact/artifact-document.tsx';
import { loadArtifactPage } from '../artifact/load-artifact-page.ts';
import { OF_ONE, type PageParts, PUBLIC } from '../frame/page-parts.ts';
import { loadRelationsPage, readAskedList } from '../relations/load-relations-page.ts';
import { relationsDocument } from '../relations/relations-document.tsx';
import { listingDocument } from './listing-document.tsx';
import { loadListingPage } from './load-listing-page.ts';

/** Agents and skills: those with their own listing, those inside a listed repository, and where a listing is told to be. */
export function registerListings(pages: FastifyInstance, { naming }: PageParts): void {
  const show = (type: 'agent' | 'skill') => async (request: FastifyRequest, reply: FastifyReply) => {
    const { reads } = request;
    const subject = await resolveSubject(reads, type, pathOf(request.url), naming);
    const list = readAskedList(request.query as Readonly<Record<string, unknown>>);
    if (list !== null)
      return sendHtml(
        reply,
        relationsDocument(await loadRelationsPage(reads, subject, list, naming), naming),
      );
    const { agentId } = subject;
    if (agentId !== null) {
      const page = await loadListingPage(reads, { ...subject, agentId }, naming);
      return sendHtml(reply, listingDocument({ ...page, askedAs: formerName(request, subject) }, naming));
    }
    const page = await loadArtifactPage(reads, subject, naming);
    if (page === null) throw new DomainError('not_found', 'There is no page at this address.');
    return sendHtml(reply, artifactDocument(page, naming));
  };
  // `/a/id/{id}` has the shape of owner and repository: the resolver tells them apart.
  for (const shape of [':owner/:repository', ':owner/:repository/:artifact']) {
    pages.get(`/a/${shape}`, OF_ONE, show('agent'));
    pages.get(`/s/${shape}`, OF_ONE, show('skill'));
  }
  // `/{owner}/{repo}` is where a listing is told to be; its page is elsewhere, by type.
  pages.get<{ Params: { owner: string } }>('/:owner/:repository', PUBLIC, async (request, reply) => {
    // What lies below one of our own roots and has no route is nobody's repository.
    if (FIXED_SEGMENTS.has(request.params.owner.toLowerCase())) return reply.callNotFound();
    const { publicPath } = await resolveSubject(request.reads, REPOSITORY_TYPES, pathOf(request.url), naming);
    return reply.redirect(publicPath, 302);
  });
}

/** The name in the address, where it is another repository's than the subject's own: a former one. */
function formerName(request: FastifyRequest, { repository }: ResolvedSubject): string | undefined {
  const { owner, repository: name } = request.params as { owner: string; repository: string };
  const asked = `${owner}/${name}`;
  if (owner === 'id' || repository === null) return undefined;
  return repository.toLowerCase().endsWith(asked.toLowerCase()) ? undefined : asked;
}
