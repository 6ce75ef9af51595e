import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../database/connect.ts';
import type { Contract } from '../http/contract.ts';
import { beginFailure, noteFailure } from '../http/error-handler.ts';
import { pathOf } from '../http/path-of.ts';
import { problemWords } from '../http/problem-words.ts';
import { registerAssets } from '../ui/assets.ts';
import { securePages } from '../ui/page-headers.ts';
import { problemDocument } from '../ui/problem-document.tsx';
import { sendHtml } from '../ui/send-html.ts';
import { registerAccounts } from './account/register-accounts.ts';
import { registerBadges } from './badge/register-badges.ts';
import { registerCreators } from './creator/register-creators.ts';
import type { PageParts } from './frame/page-parts.ts';
import { registerHome } from './home/register-home.ts';
import { registerListings } from './listing/register-listings.ts';
import { registerMethod } from './method/register-method.ts';
import { registerDocs } from './reference/register-docs.ts';
import { registerIndex } from './sitemap/register-index.ts';

const FEATURES = [
  registerHome,
  registerMethod,
  registerListings,
  registerCreators,
  registerAccounts,
  registerBadges,
  registerIndex,
];

/** The parts of the public pages, where they read, and what `/docs` shows; without a contract there is no such page. */
type PublicPageParts = Pick<PageParts, 'naming'> & { reads: Database; contract?: Contract };

/** The public pages. They read what is stored and make nothing; an unknown subject is a 404 page. */
export async function registerPages(
  app: FastifyInstance,
  { reads, naming, contract }: PublicPageParts,
): Promise<void> {
  await app.register(async (pages) => {
    securePages(pages);
    pages.setErrorHandler(sendProblem);
    // What everybody may read has sessions of its own.
    for (const registerFeature of FEATURES) registerFeature(pages, { database: reads, naming });
    if (contract) registerDocs(pages, { contract, naming });
    registerAssets(pages);
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
  const parts = pathOf(request.url)
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
