import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { contractPath } from './contract-path.ts';
import { buildMockApp } from './mock-app.ts';
import { openPrism } from './prism.ts';

/** Where the mock listens. */
export interface MockOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Waits for the delay that was asked for; rejects once the signal says that the mock is closing. Tests pass their own. */
  readonly wait?: (delayMs: number, closing: AbortSignal) => Promise<void>;
}

/** A mock of the contract that listens. */
export interface Mock {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the mock of the contract that the package ships. Throws a PrismMissingError where Prism is not installed. */
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
