import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type LabelsOf, METRICS, type MetricName, type MetricOf } from './metric-definitions.ts';

/** Value of a metric that is read at each scrape. */
interface MetricValue<Name extends MetricName> {
  readonly labels: LabelsOf<Name>;
  readonly value: number;
}

/** Counts values and exports them. Only the names and labels of METRICS are allowed. */
export interface Meter {
  add<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  observe<Name extends MetricOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
  set<Name extends MetricOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /**
   * Registers a function that reads all values of a metric at each scrape. Each read replaces the values of the last
   * one.
   */
  collect<Name extends MetricOf<'gauge' | 'counter'>>(
    name: Name,
    read: () => readonly MetricValue<Name>[] | Promise<readonly MetricValue<Name>[]>,
  ): void;
  /** Exports all metrics in the Prometheus text format, with its content type. */
  scrape(): Promise<{ type: string; text: string }>;
  /** Lists the names of all exported metrics, including those of Node and the process. */
  names(): string[];
}

type AnyMetric = Counter | Gauge | Histogram;
type Read = () => readonly MetricValue<MetricName>[] | Promise<readonly MetricValue<MetricName>[]>;

/**
 * Creates a meter whose metrics are independent of other meters. Loads the metrics library only when called. Without
 * the definitions in METRICS, `metrics.db.test.ts` fails.
 */
export function createMeter(): Meter {
  const client = createRequire(import.meta.url)('prom-client') as typeof import('prom-client');
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  const reads = new Map<MetricName, Read>();
  const metrics = new Map(
    (Object.keys(METRICS) as MetricName[]).map((name) => [name, make(client, registry, name, reads)]),
  );
  const get = <Kind extends AnyMetric>(name: MetricName) => metrics.get(name) as Kind;
  return {
    add: (name, labels, by = 1) => get<Counter>(name).inc(labels, by),
    observe: (name, labels, value) => get<Histogram>(name).observe(labels, value),
    set: (name, labels, value) => get<Gauge>(name).set(labels, value),
    collect: (name, read) => void reads.set(name, read as Read),
    scrape: async () => ({ type: registry.contentType, text: await registry.metrics() }),
    names: () => registry.getMetricsAsArray().map(({ name }) => name),
  };
}

function make(
  client: typeof import('prom-client'),
  registry: Registry,
  name: MetricName,
  reads: ReadonlyMap<MetricName, Read>,
): AnyMetric {
  const { type, help, labels } = METRICS[name];
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === 'histogram') return new client.Histogram({ ...options, buckets: [...METRICS[name].buckets] });
  /** Replaces the previous values, so that labels which no longer exist disappear. */
  async function collect(this: Counter | Gauge): Promise<void> {
    const read = reads.get(name);
    if (!read) return;
    const readings = await read();
    this.reset();
    for (const { labels, value } of readings) this.inc(labels, value);
  }
  return type === 'gauge'
    ? new client.Gauge({ ...options, collect })
    : new client.Counter({ ...options, collect });
}

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
 * Serves `GET /metrics` on a separate port, so that neither the public port nor a proxy in front of it exposes the
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
