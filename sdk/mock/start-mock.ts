import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { contractPath } from './load-prism.ts';
import { buildMockApp } from './mock-app.ts';
import { openPrism } from './prism.ts';

export interface MockOptions {
  readonly host: string;
  /** Port; 0 for any free one. */
  readonly port: number;
  /** Waits for a requested delay; rejects when the signal aborts because the mock closes. Replaceable for tests. */
  readonly wait?: (delayMs: number, closing: AbortSignal) => Promise<void>;
}

/** Running mock and its URL. */
export interface Mock {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the mock, by default on the package's contract. Throws a PrismMissingError without a supported Prism. */
export async function startMock(
  { host, port, wait = sleep }: MockOptions,
  contract = contractPath(),
): Promise<Mock> {
  const prism = await openPrism(contract);
  const closing = new AbortController();
  const app = await buildMockApp({ contract, prism, wait: (delayMs) => wait(delayMs, closing.signal) });
  await app.listen({ host, port });
  const { address, family, port: bound } = app.server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    async close() {
      closing.abort();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  if (delayMs > 0) await setTimeout(delayMs, undefined, { signal });
}
