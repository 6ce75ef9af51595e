import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import type { Attributes, Context, Span } from '@opentelemetry/api';

/** Where spans go, and how many traces begin here: 1 is all of them. A caller's own decision stands before it. */
export interface TracingConfig {
  /** Of an OTLP collector, over HTTP; spans go to `v1/traces` below it. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly share: number;
}

interface SpanParts {
  readonly kind?: 'SERVER' | 'CLIENT' | 'INTERNAL';
  readonly attributes?: Attributes;
  /** Where it belongs; else under the span whose work is under way. */
  readonly parent?: Context;
  /** Other spans that have a part in it. */
  readonly links?: readonly Span[];
}

/** Spans of one process. Attributes are routes, codes and counts: never a header, a body, an address or a text of a request. */
export interface Tracer {
  start(name: string, parts?: SpanParts): Span;
  /** Ends a span, as failed or not. */
  end(span: Span, hasFailed: boolean): void;
  /** Does work under a span, with all that it starts. */
  within<Result>(span: Span, work: () => Result): Result;
  /** The span whose work is under way. */
  current(): Span | undefined;
  contextOf(span: Span): Context;
  /** What a caller's `traceparent` says. */
  incoming(headers: Readonly<Record<string, unknown>>): Context;
  /** Headers that tell another service of the work that is under way. */
  outgoing(): Record<string, string>;
  /** Sends what is left, for as long as a stop may wait. */
  close(): Promise<void>;
}

/** A stop is not kept waiting for a collector that hangs. */
const SENDING_MS = 3_000;

/** Loads what makes spans: only where a collector was named. Nothing of it is the process's own, so two servers share none. */
export function openTracer({ endpoint, serviceName, share }: TracingConfig): Tracer {
  const { api, core, resources, sdk, otlp } = load();
  const exporter = new otlp.OTLPTraceExporter({
    url: new URL('v1/traces', endpoint.replace(/\/*$/, '/')).href,
    timeoutMillis: SENDING_MS,
  });
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: SENDING_MS })],
  });
  const tracer = provider.getTracer('trust-directory');
  const propagator = new core.W3CTraceContextPropagator();
  const underWay = new AsyncLocalStorage<Span>();
  const contextOf = (span: Span | undefined) =>
    span ? api.trace.setSpan(api.ROOT_CONTEXT, span) : api.ROOT_CONTEXT;
  return {
    start: (name, { kind = 'INTERNAL', attributes = {}, parent, links = [] } = {}) =>
      tracer.startSpan(
        name,
        {
          kind: api.SpanKind[kind],
          attributes,
          links: links.map((span) => ({ context: span.spanContext() })),
        },
        parent ?? contextOf(underWay.getStore()),
      ),
    end(span, hasFailed) {
      if (hasFailed) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end();
    },
    within: (span, work) => underWay.run(span, work),
    current: () => underWay.getStore(),
    contextOf,
    incoming: (headers) => propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter),
    outgoing() {
      const headers: Record<string, string> = {};
      propagator.inject(contextOf(underWay.getStore()), headers, api.defaultTextMapSetter);
      return headers;
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function load() {
  const require = createRequire(import.meta.url);
  try {
    return {
      api: require('@opentelemetry/api') as typeof import('@opentelemetry/api'),
      core: require('@opentelemetry/core') as typeof import('@opentelemetry/core'),
      resources: require('@opentelemetry/resources') as typeof import('@opentelemetry/resources'),
      sdk: require('@opentelemetry/sdk-trace') as typeof import('@opentelemetry/sdk-trace'),
      otlp: require('@opentelemetry/exporter-trace-otlp-http') as typeof import('@opentelemetry/exporter-trace-otlp-http'),
    };
  } catch (cause) {
    const { peerDependencies } = require('../../package.json') as {
      peerDependencies: Record<string, string>;
    };
    const packages = Object.entries(peerDependencies).map(([name, version]) => `${name}@${version}`);
    throw new Error(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for traces are not installed: run "npm install --no-save ${packages.join(' ')}" beside the server, or unset it.`,
      { cause },
    );
  }
}
