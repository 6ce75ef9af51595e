import type { FastifyInstance } from 'fastify';
import type { Contract } from '../../http/contract/contract.ts';
import type { Naming } from '../../subjects/naming.ts';
import { REFERENCE_SECURITY_POLICY } from '../../ui/page-headers.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { PUBLIC } from '../frame/page-parts.ts';
import { sampledContract } from './code-samples.ts';
import { docsDocument } from './docs-document.tsx';
import { indexReference, REFERENCE_PATH } from './reference-index.ts';

interface DocsParts {
  contract: Contract;
  naming: Naming;
}

/**
 * The API reference at `/docs`, drawn in the browser from the contract with code samples; without a script it lists every
 * endpoint.
 */
export function registerDocs(pages: FastifyInstance, { contract, naming }: DocsParts): void {
  const document = Buffer.from(docsDocument(indexReference(contract), naming));
  pages.get('/docs', PUBLIC, async (_request, reply) =>
    sendHtml(reply.header('Content-Security-Policy', REFERENCE_SECURITY_POLICY), document),
  );
  // Most processes are never asked for it, so it is made when somebody does.
  let sampled: Buffer | null = null;
  pages.get(REFERENCE_PATH, PUBLIC, async (_request, reply) => {
    sampled ??= Buffer.from(sampledContract(contract, naming.site.origin));
    return reply.type('application/json; charset=utf-8').send(sampled);
  });
}
