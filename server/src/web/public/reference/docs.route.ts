import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { Contract } from '../../../platform/http/contract/contract.ts';
import type { ShapedRequest } from '../../../platform/http/contract/validation.ts';
import { sendHtml } from '../../components/send-html.ts';
import { PUBLIC_ROUTE } from '../frame/page-dependencies.ts';
import { buildSearchIndex, searchIndex } from './docs-search.ts';
import { loadNameReplacements, type NameReplacements } from './name-replacements.ts';
import { endpointIds, endpointPath, readReference } from './reference.ts';

interface DocsParts {
  contract: Contract;
  publicUrls: PublicUrls;
  /** Command that installs the SDK; null if it should come from this server, which was built without the SDK. */
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
    return { reference, places: buildSearchIndex(reference), documents: await import('./docs.page.tsx') };
  });

  const guide = onceForNames(async (names) => {
    const { reference, documents } = await read();
    return documents.guideDocument(reference, names, publicUrls, installLine);
  });
  pages.get<ShapedRequest>('/docs', PUBLIC_ROUTE, async (request, reply) => {
    const query = readQuery(request);
    if (query === '') return sendHtml(reply, await guide(request));
    const { reference, places, documents } = await read();
    const found = searchIndex(places, query);
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

  /** Caches a page until the subjects of its samples change. */
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

function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
