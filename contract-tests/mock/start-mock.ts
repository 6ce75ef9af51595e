import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createForwarder } from './forwarder.ts';
import type { MockOptions } from './options.ts';
import { startPrism } from './prism.ts';

/** A mock of the contract that listens. */
export interface Mock {
  readonly url: string;
  close(): Promise<void>;
}

/** mock/ and dist/ are equally deep. */
const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));

/** Starts the mock of the contract at the root of the project. */
export async function startMock({ host, port }: MockOptions, contractPath = CONTRACT): Promise<Mock> {
  const prism = await startPrism(contractPath);
  const server = createForwarder(prism);
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    await prism.close();
    throw error;
  }
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
      await prism.close();
    },
  };
}
