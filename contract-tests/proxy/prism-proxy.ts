import { loadPrism } from '../../sdk/mock/load-prism.ts';
import { operationsOf } from '../../sdk/mock/prism.ts';

/** A running Prism in front of a server, on a separate loopback port. */
export interface PrismProxy {
  readonly url: URL;
  close(): Promise<void>;
}

/**
 * Starts `prism proxy --errors`. It forwards requests, and turns a request or an answer that breaks the contract into an
 * error.
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
