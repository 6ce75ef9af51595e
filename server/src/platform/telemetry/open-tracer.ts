import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { DatabaseObserver } from '../database/connect.ts';

/**
 * Settings of tracing. `share` is the fraction of new traces to record (1: all). For a trace that a caller began, the
 * caller decides.
 */
export interface TracingConfig {
  /** URL of an OTLP collector; spans are sent to its `v1/traces` over HTTP. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly share: number;
}

interface SpanParts {
  readonly kind?: 'SERVER' | 'CLIENT' | 'INTERNAL';
  readonly attributes?: Attributes;
  /** Parent context; by default the current span. */
  readonly parent?: Context;
  /** Other spans related to this one. */
  readonly links?: readonly Span[];
}

/**
 * Creates spans of one process. Attributes are routes, codes, counts and ledger ids; never headers, bodies, addresses
 * or text of a request.
 */
export interface Tracer {
  start(name: string, parts?: SpanParts): Span;
  /** Ends a span with its status. */
  end(span: Span, hasFailed: boolean): void;
  /** Runs work with this span as the current one. The span is also current in everything that the work starts. */
  within<Result>(span: Span, work: () => Result): Result;
  /** Returns the current span. */
  current(): Span | undefined;
  contextOf(span: Span): Context;
  /** Reads the trace context from a caller's `traceparent` header. */
  incoming(headers: Readonly<Record<string, unknown>>): Context;
  /** Returns headers that send the trace context of the current span to another service. */
  outgoing(): Record<string, string>;
  /** Sends the remaining spans, within a time limit. */
  close(): Promise<void>;
}

/**
 * Timeout in milliseconds of sending spans to the collector. A collector that does not respond delays a stop by this
 * time at most.
 */
const SENDING_MS = 3_000;

/**
 * Creates a tracer. Call it only if a collector is configured, because it loads OpenTelemetry. It uses no global
 * state, so that two servers in one process are independent.
 */
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
    const { peerDependencies } = require('../../../package.json') as {
      peerDependencies: Record<string, string>;
    };
    const packages = Object.entries(peerDependencies).map(([name, version]) => `${name}@${version}`);
    throw new Error(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for traces are not installed: run "npm install --no-save ${packages.join(' ')}" next to the server, or unset it.`,
      { cause },
    );
  }
}

/**
 * Creates a span for each request, as a child of the caller's span if there is one. The span contains the route
 * template, not the URL.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    const span = tracer.start(`${method} ${route}`, {
      kind: 'SERVER',
      attributes: { 'http.request.method': method, 'http.route': route },
      parent: tracer.incoming(request.headers),
    });
    // 'close' is emitted however the request ends, even if the client disconnects.
    reply.raw.once('close', () => {
      span.setAttribute('http.response.status_code', reply.statusCode);
      if (request.errorCode) span.setAttribute('error.type', request.errorCode);
      if (request.ledgerId) span.setAttribute('trust_directory.ledger_id', request.ledgerId);
      tracer.end(span, reply.statusCode >= 500);
    });
    // The span stays current while the body is read, because the framework keeps the async context.
    tracer.within(span, done);
  });
}

/**
 * Creates a span for each batched statement, as a child of the batch's first call and with links to the remaining
 * calls. The span contains neither SQL nor values.
 */
export function traceStatements(tracer: Tracer): DatabaseObserver {
  return {
    onQueued: () => tracer.current(),
    onSend(statement, askers) {
      const calls = askers.filter((asker): asker is Span => asker !== undefined);
      const [first, ...others] = calls;
      const span = tracer.start(`ledger ${statement}`, {
        kind: 'CLIENT',
        attributes: { 'db.system.name': 'postgresql', 'db.operation.batch.size': askers.length },
        ...(first && { parent: tracer.contextOf(first) }),
        links: others,
      });
      return (hasFailed) => tracer.end(span, hasFailed);
    },
  };
}
