import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Contract } from '../../http/contract/contract.ts';
import type { ShapedRequest } from '../../http/contract/validation.ts';
import type { Naming } from '../../subjects/naming.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { PUBLIC } from '../frame/page-parts.ts';
import { endpointIds, endpointPath, readReference } from './reference.ts';
import { loadRealNames, type RealNames } from './sample-subjects.ts';
import { placesOf, searchPlaces } from './search-reference.ts';

interface DocsParts {
  contract: Contract;
  naming: Naming;
  /** Installs the SDK; null if this server doesn't hand it out. */
  installLine: string | null;
}

/** As long as a search of the documentation may be. */
const LONGEST_QUERY = 100;

/** The documentation: a guide with a search, a page for every endpoint, and the error codes. */
export function registerDocs(pages: FastifyInstance, { contract, naming, installLine }: DocsParts): void {
  // Most processes are never asked for it, so it is loaded and read when somebody does.
  const read = once(async () => {
    const reference = readReference(contract);
    return { reference, places: placesOf(reference), documents: await import('./docs-document.tsx') };
  });

  const guide = onceForNames(async (names) => {
    const { reference, documents } = await read();
    return documents.guideDocument(reference, names, naming, installLine);
  });
  pages.get<ShapedRequest>('/docs', PUBLIC, async (request, reply) => {
    const query = askedIn(request);
    if (query === '') return sendHtml(reply, await guide(request));
    const { reference, places, documents } = await read();
    const found = searchPlaces(places, query);
    return sendHtml(reply, documents.searchDocument(reference, query, found, naming));
  });
  const errors = once(async () => {
    const { reference, documents } = await read();
    return Buffer.from(documents.errorsDocument(reference, naming));
  });
  pages.get('/docs/errors', PUBLIC, async (_request, reply) => sendHtml(reply, await errors()));
  for (const id of endpointIds(contract)) {
    const page = onceForNames(async (names) => {
      const { reference, documents } = await read();
      return documents.endpointDocument(reference, id, names, naming);
    });
    pages.get(endpointPath(id), PUBLIC, async (request, reply) => sendHtml(reply, await page(request)));
  }

  /** A page that is drawn anew only when its samples name somebody else. */
  function onceForNames(draw: (names: RealNames) => Promise<string>) {
    let drawn: { of: string; document: Buffer } | null = null;
    return async ({ reads }: Pick<FastifyRequest, 'reads'>): Promise<Buffer> => {
      const names = await loadRealNames(reads, naming);
      const of = JSON.stringify([...names]);
      if (drawn?.of !== of) drawn = { of, document: Buffer.from(await draw(names)) };
      return drawn.document;
    };
  }
}

function askedIn({ query: { q } }: FastifyRequest<ShapedRequest>): string {
  return typeof q === 'string' ? q.trim().slice(0, LONGEST_QUERY) : '';
}

function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
