import type { FastifyInstance } from 'fastify';
import type { Contract } from '../http/contract.ts';
import type { Naming } from '../subjects/naming.ts';
import { docsDocument } from './documents.tsx';
import { REFERENCE_SECURITY_POLICY } from './page-headers.ts';
import { indexReference } from './reference-index.ts';

interface DocsParts {
  contract: Contract;
  naming: Naming;
}

/** The API reference at `/docs`, drawn in the browser from `/openapi.yaml`; without a script it lists every endpoint. */
export function registerDocs(pages: FastifyInstance, { contract, naming }: DocsParts): void {
  const document = docsDocument(indexReference(contract), naming);
  pages.get('/docs', { config: { limit: 'public', public: true } }, async (_request, reply) =>
    reply
      .header('Content-Security-Policy', REFERENCE_SECURITY_POLICY)
      .type('text/html; charset=utf-8')
      .send(document),
  );
}
