import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../database/connect.ts';
import { countByFilter, countChosen } from '../directory/count-by-filter.ts';
import { listAgents } from '../directory/list-agents.ts';
import { DomainError } from '../domain-error.ts';
import type { Contract } from '../http/contract.ts';
import { beginFailure, noteFailure } from '../http/error-handler.ts';
import { problemWords } from '../http/problem-words.ts';
import type { AccountType } from '../registry/platform-accounts/account-row.ts';
import type { Naming } from '../subjects/naming.ts';
import { FIXED_SEGMENTS } from '../subjects/public-path.ts';
import { resolveSubject } from '../subjects/resolve-subject.ts';
import { REPOSITORY_TYPES } from '../subjects/subject-type.ts';
import { registerAssets } from '../ui/assets.ts';
import { securePages } from '../ui/page-headers.ts';
import { loadAccountPage } from './account/load-account-page.ts';
import { registerBadges } from './badge/register-badges.ts';
import { loadCreatorPage } from './creator/load-creator-page.ts';
import {
  accountDocument,
  creatorDocument,
  listDocument,
  methodDocument,
  problemDocument,
  subjectDocument,
} from './documents.tsx';
import { readOffset, readPageQuery } from './home/page-query.ts';
import { linkAgents } from './link-agents.ts';
import { loadArtifactPage, loadListingPage } from './listing/load-listing-page.ts';
import { registerDocs } from './reference/register-docs.ts';
import { registerIndex } from './sitemap/register-index.ts';

export interface PageParts {
  database: Database;
  naming: Naming;
  /** What `/docs` shows; without one there is no such page. */
  contract?: Contract;
}

/** Counted and cached like the public API: a page shows the same records. */
const PUBLIC = { config: { limit: 'public', public: true } } as const;

/** The public pages. They read what is stored and make nothing; an unknown subject is a 404 page. */
export async function registerPages(
  app: FastifyInstance,
  { reads, naming, contract }: PageParts & { reads: Database },
): Promise<void> {
  // What everybody may read has sessions of its own.
  const parts = { database: reads, naming };
  await app.register(async (pages) => {
    securePages(pages);
    pages.setErrorHandler(sendProblem);
    registerDirectory(pages, parts);
    registerSubjects(pages, parts);
    registerCreators(pages, parts);
    registerAccounts(pages, parts);
    registerListingUrls(pages, parts);
    registerBadges(pages, parts);
    registerIndex(pages, parts);
    if (contract) registerDocs(pages, { contract, naming });
    registerAssets(pages);
  });
}

function registerDirectory(pages: FastifyInstance, { database, naming }: PageParts): void {
  pages.get('/', PUBLIC, async (request, reply) => {
    const list = readPageQuery(request.query as Record<string, unknown>);
    const facets = await countByFilter(database, list.q);
    const total = countChosen(facets, list);
    const { agents } = await listAgents(database, { ...list, total });
    const linked = await linkAgents(database, agents, naming);
    return sendHtml(reply, listDocument(list, linked, total, facets, naming));
  });
  const method = Buffer.from(methodDocument(naming));
  pages.get('/method', PUBLIC, async (_request, reply) => sendHtml(reply, method));
}

function registerSubjects(pages: FastifyInstance, { database, naming }: PageParts): void {
  const show = (type: 'agent' | 'skill') => async (request: FastifyRequest, reply: FastifyReply) => {
    const subject = await resolveSubject(database, type, pathOf(request), naming);
    const { agentId } = subject;
    const page =
      agentId === null
        ? await loadArtifactPage(database, subject, naming)
        : await loadListingPage(database, { ...subject, agentId }, naming);
    if (page === null) throw new DomainError('not_found', 'There is no page at this address.');
    return sendHtml(reply, subjectDocument(page, naming));
  };
  // `/a/id/{id}` has the shape of owner and repository: the resolver tells them apart.
  for (const shape of [':owner/:repository', ':owner/:repository/:artifact']) {
    pages.get(`/a/${shape}`, PUBLIC, show('agent'));
    pages.get(`/s/${shape}`, PUBLIC, show('skill'));
  }
}

function registerCreators(pages: FastifyInstance, { database, naming }: PageParts): void {
  pages.get<{ Params: { handle: string } }>('/c/:handle', PUBLIC, async (request, reply) => {
    const offset = readOffset(request.query as Record<string, unknown>);
    const page = await loadCreatorPage(database, request.params.handle, naming, offset);
    return sendHtml(reply, creatorDocument(page, naming));
  });
}

function registerAccounts(pages: FastifyInstance, { database, naming }: PageParts): void {
  const show = (type: AccountType) => async (request: FastifyRequest, reply: FastifyReply) => {
    const subject = await resolveSubject(database, type, pathOf(request), naming);
    const page = await loadAccountPage(database, subject, naming);
    if (page === null) throw new DomainError('not_found', 'There is no page at this address.');
    return sendHtml(reply, accountDocument(page, naming));
  };
  pages.get('/u/:platform/:handle', PUBLIC, show('social_account'));
  pages.get('/m/:platform/:handle', PUBLIC, show('messaging_account'));
}

/** `/{owner}/{repo}` is where a listing is told to be; its page is elsewhere, by type. */
function registerListingUrls(pages: FastifyInstance, { database, naming }: PageParts): void {
  pages.get<{ Params: { owner: string } }>('/:owner/:repository', PUBLIC, async (request, reply) => {
    // What lies below one of our own roots and has no route is nobody's repository.
    if (FIXED_SEGMENTS.has(request.params.owner.toLowerCase())) return reply.callNotFound();
    const { publicPath } = await resolveSubject(database, REPOSITORY_TYPES, pathOf(request), naming);
    return reply.redirect(publicPath, 302);
  });
}

/** Tells a person what went wrong, in the same words as the API, and nothing more of a failure nobody foresaw. */
async function sendProblem(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const error = noteFailure(request.log, thrown);
  const text = problemWords(error, request);
  return sendHtml(
    beginFailure(request, reply, error),
    problemDocument(error, { text, search: wordsOf(request) }),
  );
}

/** What somebody looked for who came to an address that leads nowhere: the last words of its path. */
function wordsOf(request: FastifyRequest): string {
  const parts = pathOf(request)
    .split('/')
    .filter((part) => part !== '')
    .slice(-2);
  const text = parts.map((part) => (part === 'id' || part.length === 1 ? '' : safeDecode(part))).join(' ');
  return text
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 200);
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function sendHtml(reply: FastifyReply, document: string | Buffer): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(document);
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '/';
}
