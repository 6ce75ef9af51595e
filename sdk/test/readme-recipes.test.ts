import { readFileSync } from 'node:fs';
import * as api from '@opentelemetry/api';
import * as undici from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as sdk from '../src/index.ts';
import { startProxy } from './proxy.ts';
import { agent, page } from './samples.ts';
import { type Reply, standIn } from './stand-in.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Runs the README's sample with this text unchanged, with its imports and this service URL. */
async function runSample(text: string, url: string, env: Record<string, string> = {}): Promise<unknown[]> {
  const samples = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const sample = samples.find((code) => code.includes(text)) ?? expect.unreachable(`no sample has ${text}`);
  const code = sample.replaceAll(
    /^import \{(.+)\} from '(.+)';$/gm,
    (_, names, from) => `const {${names}} = modules['${from}'];`,
  );
  for (const [name, value] of Object.entries({ TRUST_DIRECTORY_URL: url, ...env })) vi.stubEnv(name, value);
  const printed: unknown[] = [];
  const modules = { '@trust-directory/sdk': sdk, '@opentelemetry/api': api, undici };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  await new AsyncFunction('modules', 'console', code)(modules, {
    log: (...what: unknown[]) => printed.push(...what),
  });
  return printed;
}

afterEach(() => {
  vi.unstubAllEnvs();
  api.trace.disable();
  api.propagation.disable();
});

/** Registers a tracer that records spans, like an application's OpenTelemetry SDK. */
function recordSpans() {
  const spans: Record<string, unknown>[] = [];
  const startSpan = (name: string, { attributes, kind }: api.SpanOptions = {}) => {
    const traceId = `${spans.length + 1}`.padStart(32, '0');
    const record: Record<string, unknown> = { name, kind, ...attributes, ended: 0 };
    spans.push(record);
    const span = {
      spanContext: () => ({ traceId, spanId: '1'.repeat(16), traceFlags: 1 }),
      setAttribute: (key: string, value: unknown) => Object.assign(record, { [key]: value }) && span,
      setStatus: (status: api.SpanStatus) => Object.assign(record, { status: status.code }) && span,
      recordException: (error: Error) => Object.assign(record, { exception: error.name }) && span,
      end: () => {
        record.ended = Number(record.ended) + 1;
      },
    };
    return span as unknown as api.Span;
  };
  api.trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: vi.fn() as never }) });
  api.propagation.setGlobalPropagator({
    inject: (context, carrier, setter) =>
      setter.set(
        carrier,
        'traceparent',
        `00-${api.trace.getSpanContext(context)?.traceId}-${'1'.repeat(16)}-01`,
      ),
    extract: (context) => context,
    fields: () => ['traceparent'],
  });
  return spans;
}

describe('the recipe for OpenTelemetry', () => {
  it('creates a span per attempt, ends it once, and sends its context', async () => {
    const spans = recordSpans();
    const server = await standIn({ status: 503, headers: { 'retry-after': '0' } }, { body: page });

    expect(await runSample('@opentelemetry/api', server.url)).toEqual([1]);

    const common = { name: 'GET', kind: api.SpanKind.CLIENT, ended: 1, 'http.request.method': 'GET' };
    const failed = { 'http.response.status_code': 503, status: api.SpanStatusCode.ERROR, exception: 'Error' };
    expect(spans).toMatchObject([
      { ...common, ...failed, 'http.request.resend_count': 0 },
      { ...common, 'http.response.status_code': 200, 'http.request.resend_count': 1 },
    ]);
    expect(spans[1]).not.toHaveProperty('status');
    expect(server.seen.map(({ traceparent }) => traceparent?.slice(0, 35))).toEqual([
      `00-${'1'.padStart(32, '0')}`,
      `00-${'2'.padStart(32, '0')}`,
    ]);
  });

  it('marks the span of a failed call', async () => {
    const spans = recordSpans();
    const server = await standIn({ status: 404 });

    await expect(runSample('@opentelemetry/api', server.url)).rejects.toBeInstanceOf(sdk.NotFoundError);

    expect(spans).toMatchObject([{ ended: 1, status: api.SpanStatusCode.ERROR, exception: 'NotFoundError' }]);
  });
});

it('the recipe for proxies uses the proxy of the environment', async () => {
  const server = await standIn({ body: page });
  const proxy = await startProxy(server.url);

  const printed = await runSample('EnvHttpProxyAgent', 'http://trust.example', {
    HTTP_PROXY: proxy.url,
    NO_PROXY: '',
  });

  expect(printed).toEqual([1]);
  expect(proxy.asked).toEqual(['trust.example:80']);
});

describe('the loop over offsets', () => {
  const LIMIT = 100;
  const COUNTED = 10_000;

  /** Returns the pages of a search with this many matches, counted up to a bound like the service does. */
  function pagesOf(matches: number): Reply[] {
    return Array.from({ length: Math.ceil(matches / LIMIT) + 1 }, (_, index): Reply => {
      const offset = index * LIMIT;
      const length = Math.max(0, Math.min(LIMIT, matches - offset));
      const data = Array.from({ length }, (_entry, at) => ({ ...agent, id: `AGT-${offset + at}` }));
      const end = offset + length;
      const bound = Math.max(COUNTED, end + (end < matches ? 1 : 0));
      const isBounded = matches > COUNTED;
      const total = isBounded ? bound : matches;
      return { body: { ...page, data, offset, limit: LIMIT, total, totalIsLowerBound: isBounded } };
    });
  }

  it.each([
    ['less than a page', 1],
    ['exact total', 250],
    ['lower bound', 10_250],
    ['lower bound that ends with a whole page', 10_300],
    ['lower bound with one more match', 10_001],
  ])('reads every entry once (%s)', async (_name, matches) => {
    const server = await standIn(...pagesOf(matches));

    expect(await runSample('offset < total', server.url)).toEqual([matches]);
    expect(server.seen).toHaveLength(Math.ceil(matches / LIMIT));
  });
});
