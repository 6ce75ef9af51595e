import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Contract } from '../../http/contract/contract.ts';
import type { ShapedRequest } from '../../http/contract/validation.ts';
import type { Naming } from '../../subjects/naming.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { PUBLIC } from '../frame/page-parts.ts';
import { endpointDocument, errorsDocument, guideDocument, searchDocument } from './docs-document.tsx';
import { endpointIds, endpointPath, readReference } from './reference.ts';
import { loadRealNames, type RealNames } from './sample-subjects.ts';
import { placesOf, searchPlaces } from './search-reference.ts';

interface DocsParts {
  contract: Contract;
  naming: Naming;
}

/** As long as a search of the documentation may be. */
const LONGEST_QUERY = 100;

/** The documentation: a guide with a search, a page for every endpoint, and the error codes. */
export function registerDocs(pages: FastifyInstance, { contract, naming }: DocsParts): void {
  // Most processes are never asked for it, so it is read when somebody does.
  const read = once(() => {
    const reference = readReference(contract);
    return { reference, places: placesOf(reference) };
  });

  const guide = onceForNames((names) => guideDocument(read().reference, names, naming));
  pages.get<ShapedRequest>('/docs', PUBLIC, async (request, reply) => {
    const query = askedIn(request);
    if (query === '') return sendHtml(reply, await guide(request));
    const { reference, places } = read();
    return sendHtml(reply, searchDocument(reference, query, searchPlaces(places, query), naming));
  });
  const errors = once(() => Buffer.from(errorsDocument(read().reference, naming)));
  pages.get('/docs/errors', PUBLIC, async (_request, reply) => sendHtml(reply, errors()));
  for (const id of endpointIds(contract)) {
    const page = onceForNames((names) => endpointDocument(read().reference, id, names, naming));
    pages.get(endpointPath(id), PUBLIC, async (request, reply) => sendHtml(reply, await page(request)));
  }

  /** A page that is drawn anew only when its samples name somebody else. */
  function onceForNames(draw: (names: RealNames) => string) {
    let drawn: { of: string; document: Buffer } | null = null;
    return async ({ reads }: Pick<FastifyRequest, 'reads'>): Promise<Buffer> => {
      const names = await loadRealNames(reads, naming);
      const of = JSON.stringify([...names]);
      if (drawn?.of !== of) drawn = { of, document: Buffer.from(draw(names)) };
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
