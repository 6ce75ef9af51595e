import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { Contract } from '../../../platform/http/contract/contract.ts';
import type { ShapedRequest } from '../../../platform/http/contract/validation.ts';
import { once, sendHtml } from '../../components/send-html.ts';
import { PUBLIC_ROUTE } from '../frame/page-dependencies.ts';
import { CHAPTERS } from './docs-layout.tsx';
import { loadNameReplacements, type NameReplacements } from './name-replacements.ts';
import { endpointIds, endpointPath, type Reference, readReference } from './reference.ts';

interface DocsParts {
  contract: Contract;
  publicUrls: PublicUrls;
  /** Command that installs the SDK; null if it would name this server, but the server was built without the SDK. */
  installLine: string | null;
}

/** Maximum characters of a search in the documentation. */
const MAX_QUERY_LENGTH = 100;

/** Registers the documentation: guide, search, a page for each endpoint, and error codes. */
export function registerDocsPages(
  pages: FastifyInstance,
  { contract, publicUrls, installLine }: DocsParts,
): void {
  // Load the documentation on the first request, because most processes never serve it.
  const read = once(async () => {
    const reference = readReference(contract);
    return { reference, entries: buildSearchIndex(reference), documents: await import('./docs.page.tsx') };
  });

  const guide = onceForNames(async (names) => {
    const { reference, documents } = await read();
    return documents.guideDocument(reference, names, publicUrls, installLine);
  });
  pages.get<ShapedRequest>('/docs', PUBLIC_ROUTE, async (request, reply) => {
    const query = readQuery(request);
    if (query === '') return sendHtml(reply, await guide(request));
    const { reference, entries, documents } = await read();
    const found = searchIndex(entries, query);
    return sendHtml(reply, documents.searchDocument(reference, query, found, publicUrls));
  });
  const errors = once(async () => {
    const { reference, documents } = await read();
    return Buffer.from(documents.errorsDocument(reference, publicUrls));
  });
  pages.get('/docs/errors', PUBLIC_ROUTE, async (_request, reply) => sendHtml(reply, await errors()));
  for (const id of endpointIds(contract)) {
    const page = onceForNames(async (names) => {
      const { reference, documents } = await read();
      return documents.endpointDocument(reference, id, names, publicUrls);
    });
    pages.get(endpointPath(id), PUBLIC_ROUTE, async (request, reply) => sendHtml(reply, await page(request)));
  }

  /** Returns a function that renders a page and caches it until the names in its samples change. */
  function onceForNames(draw: (names: NameReplacements) => Promise<string>) {
    let drawn: { of: string; document: Buffer } | null = null;
    return async ({ reads }: Pick<FastifyRequest, 'reads'>): Promise<Buffer> => {
      const names = await loadNameReplacements(reads, publicUrls);
      const of = JSON.stringify([...names]);
      if (drawn?.of !== of) drawn = { of, document: Buffer.from(await draw(names)) };
      return drawn.document;
    };
  }
}

function readQuery({ query: { q } }: FastifyRequest<ShapedRequest>): string {
  return typeof q === 'string' ? q.trim().slice(0, MAX_QUERY_LENGTH) : '';
}

/** Place in the documentation that the search can find. */
export interface SearchEntry {
  kind: 'Guide' | 'Endpoint' | 'Parameter' | 'Error code';
  title: string;
  /** Context, such as the endpoint of a parameter. */
  about: string;
  path: string;
  /** Words of the title and, for an endpoint, of its id and path. A match here ranks higher than a match in `text`. */
  names: string[];
  text: string[];
}

/** Indexes chapters, endpoints, error codes and parameters for the search. */
function buildSearchIndex(reference: Reference): SearchEntry[] {
  const chapters = CHAPTERS.map(([id, title]) =>
    createEntry({ kind: 'Guide', title, about: '', path: `/docs#${id}` }, title, ''),
  );
  const endpoints = reference.endpoints.map(
    ({ operationId, method, path, summary, description, group, isWebhook }) =>
      createEntry(
        {
          kind: 'Endpoint',
          title: summary,
          about: isWebhook ? 'called by this service' : `${method} ${path}`,
          path: endpointPath(operationId),
        },
        `${summary} ${operationId} ${path}`,
        `${group} ${method} ${description}`,
      ),
  );
  const parameters = reference.endpoints.flatMap(({ operationId, summary, parameters: taken, body }) => {
    const all = [
      ...taken.map(({ field }) => ({ ...field, at: `parameter-${field.name}` })),
      ...(body?.fields ?? []).map((field) => ({ ...field, at: `body-${field.name}` })),
    ];
    return all.map(({ name, description, at }) =>
      createEntry(
        { kind: 'Parameter', title: name, about: summary, path: `${endpointPath(operationId)}#${at}` },
        name,
        `${description} ${summary}`,
      ),
    );
  });
  const errors = reference.errors.map(({ code, means, next }) =>
    createEntry(
      { kind: 'Error code', title: code, about: means, path: `/docs/errors#${code}` },
      code,
      `${means} ${next}`,
    ),
  );
  return [...chapters, ...endpoints, ...errors, ...parameters];
}

function createEntry(
  shown: Pick<SearchEntry, 'kind' | 'title' | 'about' | 'path'>,
  names: string,
  text: string,
): SearchEntry {
  return { ...shown, names: wordsOf(names), text: wordsOf(text) };
}

/** Splits a text into lower-case words. `runOperation` and `dry_run` give the whole word and each of its parts. */
function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2');
  const split = `${text} ${apart}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const whole = text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u);
  return [...new Set([...split, ...whole])].filter((word) => word !== '');
}

/** Finds the entries in which each word of the query begins a word. Matches in `names` rank before matches in `text`. */
function searchIndex(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const asked = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '');
  if (asked.length === 0) return [];
  const scored = entries.flatMap((each, index) => {
    const weights = asked.map((word) => weightOf(word, each));
    const isFound = weights.every((weight) => weight > 0);
    return isFound ? [{ each, index, weight: weights.reduce((sum, weight) => sum + weight, 0) }] : [];
  });
  return scored
    .sort((one, other) => other.weight - one.weight || one.index - other.index)
    .slice(0, MAX_RESULTS)
    .map(({ each }) => each);
}

const MAX_RESULTS = 40;

function weightOf(word: string, { names, text }: SearchEntry): number {
  if (names.includes(word)) return 4;
  if (names.some((name) => name.startsWith(word))) return 3;
  return text.some((each) => each.startsWith(word)) ? 1 : 0;
}
