import { loadPrism } from '../../sdk/mock/load-prism.ts';
import { operationsOf } from '../../sdk/mock/prism.ts';

/** A Prism that listens on a loopback port of its own, before a server. */
export interface PrismProxy {
  readonly url: URL;
  close(): Promise<void>;
}

/**
 * Starts `prism proxy --errors`: it answers nothing of its own but hands requests on, and a request or an answer that breaks
 * the contract becomes an error.
 */
export async function startPrismProxy(contractPath: string, upstream: URL): Promise<PrismProxy> {
  const { server: prismServer, http, core } = loadPrism();
  const server = prismServer.createServer(await operationsOf(contractPath, http), {
    components: { logger: core.createLogger('proxy', { enabled: false }) },
    cors: true,
    config: {
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      mock: { dynamic: false },
      upstreamProxy: undefined,
      errors: true,
      isProxy: true,
      upstream,
    },
  });
  const url = new URL(await server.listen(0, '127.0.0.1'));
  return { url, close: () => server.close() };
}
