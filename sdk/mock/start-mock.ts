import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { contractPath } from './contract-path.ts';
import { createForwarder } from './forwarder.ts';
import { startPrism } from './prism.ts';

/** Where the mock listens. */
export interface MockOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** A mock of the contract that listens. */
export interface Mock {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the mock of the contract that the package ships. Throws a PrismMissingError where Prism is not installed. */
export async function startMock({ host, port }: MockOptions, contract = contractPath()): Promise<Mock> {
  const prism = await startPrism(contract);
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
