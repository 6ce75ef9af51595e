import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Address that serves scrapes; port 0 means any free port. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/** HTTP server that serves the metrics. */
export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` on a port of its own, so that neither the public port nor a proxy in front of it exposes the
 * metrics. Rejects if the address cannot be used.
 */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  scrape: () => Promise<{ type: string; text: string }>,
): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0];
    if (path !== '/metrics') return end(response, 404, 'text/plain', 'The metrics are at /metrics.\n');
    if (request.method !== 'GET') return end(response, 405, 'text/plain', 'Send GET.\n');
    try {
      const { type, text } = await scrape();
      end(response, 200, type, text);
    } catch {
      end(response, 500, 'text/plain', 'The metrics could not be read.\n');
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: taken } = server.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${name}:${taken}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function end(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
}
