import { loadPrism, type PrismModules } from './load-prism.ts';

/** A Prism that listens on a loopback port of its own. */
export interface Prism {
  readonly url: URL;
  /** A request body that the contract gives as an example for this method and path; undefined where it has none. */
  exampleBody(method: string, path: string): unknown;
  close(): Promise<void>;
}

/** Reading a contract takes a second; it is read once. */
const readContracts = new Map<string, ReturnType<PrismModules['http']['getHttpOperationsFromSpec']>>();

function operationsOf(contractPath: string, { getHttpOperationsFromSpec }: PrismModules['http']) {
  const operations = readContracts.get(contractPath) ?? getHttpOperationsFromSpec(contractPath);
  readContracts.set(contractPath, operations);
  return operations;
}

/**
 * Starts Prism on a contract: examples as written, the same answer every time. With an `upstream` it answers nothing of
 * its own: it hands requests on, and a request or an answer that breaks the contract becomes an error.
 */
export async function startPrism(contractPath: string, upstream?: URL): Promise<Prism> {
  const { server: prismServer, http, core } = loadPrism();
  const operations = await operationsOf(contractPath, http);
  const checks = { validateRequest: true, validateResponse: true, checkSecurity: true };
  const shared = { ...checks, mock: { dynamic: false as const }, upstreamProxy: undefined };
  const server = prismServer.createServer(operations, {
    components: { logger: core.createLogger('mock', { enabled: false }) },
    cors: true,
    config: upstream
      ? { ...shared, errors: true, isProxy: true, upstream }
      : { ...shared, errors: false, isProxy: false },
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
