import { createRequire } from 'node:module';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type LabelsOf, METRICS, type MetricName, type MetricOf } from './table.ts';

/** One value of a metric that is read when somebody asks for it. */
interface Reading<Name extends MetricName> {
  readonly labels: LabelsOf<Name>;
  readonly value: number;
}

/** Counts, and tells what was counted. Only names and labels of the table exist. */
export interface Meter {
  add<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  observe<Name extends MetricOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
  set<Name extends MetricOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /** What somebody else counts: read anew for each scrape, in place of what was read before. */
  readFrom<Name extends MetricOf<'gauge' | 'counter'>>(
    name: Name,
    read: () => readonly Reading<Name>[] | Promise<readonly Reading<Name>[]>,
  ): void;
  /** All of it in Prometheus' text format, and the content type of that. */
  scrape(): Promise<{ type: string; text: string }>;
  /** Every name that a scrape may tell, those of Node and the process too. */
  names(): string[];
}

type AnyMetric = Counter | Gauge | Histogram;
type Read = () => readonly Reading<MetricName>[] | Promise<readonly Reading<MetricName>[]>;

/** A meter of its own registry. What counts is loaded only here, so only where somebody wants to know. */
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
    readFrom: (name, read) => void reads.set(name, read as Read),
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
  /** Puts what is read in the place of what was: a label that has gone goes here too. */
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
