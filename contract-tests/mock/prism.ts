import { createRequire } from 'node:module';

// Prism is CommonJS whose exports Node cannot see through an import.
const require = createRequire(import.meta.url);
const { createServer } =
  require('@stoplight/prism-http-server') as typeof import('@stoplight/prism-http-server');
const { getHttpOperationsFromSpec } =
  require('@stoplight/prism-http') as typeof import('@stoplight/prism-http');
const { createLogger } = require('@stoplight/prism-core') as typeof import('@stoplight/prism-core');

/** A Prism that listens on a loopback port of its own. */
export interface Prism {
  readonly url: URL;
  /** A request body that the contract gives as an example for this method and path; undefined where it has none. */
  exampleBody(method: string, path: string): unknown;
  close(): Promise<void>;
}

/** Starts Prism on a contract: examples as written, the same answer every time. */
export async function startPrism(contractPath: string): Promise<Prism> {
  const operations = await getHttpOperationsFromSpec(contractPath);
  const server = createServer(operations, {
    components: { logger: createLogger('mock', { enabled: false }) },
    cors: true,
    config: {
      mock: { dynamic: false },
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: false,
      isProxy: false,
      upstreamProxy: undefined,
    },
  });
  const url = new URL(await server.listen(0, '127.0.0.1'));
  return {
    url,
    exampleBody(method, path) {
      const operation = operations.find((each) => each.method === method.toLowerCase() && each.path === path);
      const example = operation?.request?.body?.contents?.[0]?.examples?.[0];
      return example && 'value' in example ? example.value : undefined;
    },
    close: () => server.close(),
  };
}
