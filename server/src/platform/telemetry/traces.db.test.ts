import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { STATEMENT_TEXT } from '../../../testing/database-proxy.ts';
import { makeAccount, makeListing, makeSession, type TestAccount } from '../../../testing/factories.ts';
import { usableScore } from '../../../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from '../../app.ts';
import { createServices, type Services } from '../../services.ts';
import { loadConfig } from '../config/load-config.ts';

const CALLER = { trace: 'a'.repeat(32), span: 'b'.repeat(16) };
const TOKEN = 'token-of-the-backend-8842';
const EMAIL = 'somebody@people.example';
const STRAY = 'stray-77af31';
const SETTLING = ['ledger look_up', 'ledger reserve', 'ledger settle'];
/** Trace context of a caller of the server with the embedded scoring method. */
const CALLER_AT_ONCE = { trace: 'c'.repeat(32), span: 'd'.repeat(16) };

interface Told {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  links: { spanId: string }[];
  status: { code?: number };
}

let test: TestDatabase;
let services: Services;
let app: FastifyInstance;
let account: TestAccount;
let token: string;
let repository: string;
let url: string;
let servers: Server[];
const bodies: string[] = [];
const asked: IncomingHttpHeaders[] = [];
let spans: Told[];
/** Statements that one call of the server with embedded scoring sends. */
let sentAtOnce: string[];

async function listen(answer: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  test = await createTestDatabase();
  const collector = await listen(async (received, response) => {
    bodies.push(`${received.url} ${await text(received)}`);
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  const backend = await listen(async (received, response) => {
    asked.push(received.headers);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(usableScore(JSON.parse(await text(received)))));
  });
  servers = [collector.server, backend.server];
  const config = loadConfig({
    LOG_LEVEL: 'silent',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    SCORING_URL: `${backend.url}/score`,
    SCORING_TOKEN: TOKEN,
    METRICS_PORT: '0',
  });
  services = createServices(config, { databaseUrl: test.url });
  app = await buildApp(services);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  ({ repository } = await makeListing(test.database));
  account = await makeAccount(test.database);
  ({ token } = await makeSession(test.database, account.accountId));
  await makeTraffic();
  await app.close();
  await services.close();
  await callAtOnce(collector.url);
  spans = bodies.flatMap((body) => {
    const { resourceSpans } = JSON.parse(body.slice(body.indexOf(' ')));
    return resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Told[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    );
  });
});
afterAll(async () => {
  for (const server of servers) server.close();
  await test.close();
});

/**
 * Sends a metered call whose body arrives after the head, in an event of the connection, outside the async context of
 * the request's span.
 */
async function call(headers: Record<string, string> = {}, changes: object = {}): Promise<number> {
  const sent = request(`${url}/api/svc/operations/run`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.key.secret}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
      ...headers,
    },
  });
  const taken = once(app.server, 'request');
  sent.flushHeaders();
  await taken;
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const idempotency_key = `${EMAIL}-${randomUUID()}`;
  sent.end(JSON.stringify({ operation: 'agent_score', subject: repository, idempotency_key, ...changes }));
  const [answer] = await answered;
  await text(answer);
  return answer.statusCode ?? 0;
}

async function get(path: string, headers: Record<string, string> = {}): Promise<number> {
  return (await app.inject({ url: path, headers })).statusCode;
}

async function makeTraffic(): Promise<void> {
  const statuses = [
    await call({ traceparent: `00-${CALLER.trace}-${CALLER.span}-01` }),
    await call({}, { subject: `${STRAY}/nothing` }),
    ...(await Promise.all(Array.from({ length: 6 }, () => call()))),
    await get(`/${STRAY}?key=${account.key.secret}`),
    await get('/console', { cookie: `sid=${token}` }),
  ];
  expect(statuses).toEqual([200, 404, 200, 200, 200, 200, 200, 200, 404, 200]);
}

/** Sends a call to a server with all features on and the embedded backend. */
async function callAtOnce(collectorUrl: string): Promise<void> {
  const config = loadConfig({
    LOG_LEVEL: 'silent',
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
    METRICS_PORT: '0',
  });
  const scoring = createServices(config, { databaseUrl: test.url });
  const query = vi.spyOn(scoring.database, 'query');
  app = await buildApp(scoring);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  query.mockClear();
  expect(await call({ traceparent: `00-${CALLER_AT_ONCE.trace}-${CALLER_AT_ONCE.span}-01` })).toBe(200);
  sentAtOnce = query.mock.calls.map(([sql]) => sql);
  await app.close();
  await scoring.close();
}

const attribute = (span: Told | undefined, key: string) =>
  Object.values(span?.attributes.find((each) => each.key === key)?.value ?? {})[0];
const inTrace = (traceId: string) => spans.filter((span) => span.traceId === traceId);

describe('a metered call that its caller traces', () => {
  it('is a span under its caller, with its statements and its score under it', () => {
    const trace = inTrace(CALLER.trace);
    const under = trace.find(({ parentSpanId }) => parentSpanId === CALLER.span);
    const children = trace.filter(({ parentSpanId }) => parentSpanId === under?.spanId);

    expect(under).toMatchObject({ name: 'POST /api/svc/operations/run', kind: 2 });
    expect(attribute(under, 'http.response.status_code')).toBe(200);
    expect(attribute(under, 'trust_directory.ledger_id')).toMatch(/^[0-9a-f-]{36}$/);
    const names = children.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...SETTLING, 'score']));
    expect(trace).toHaveLength(children.length + 1);
  });

  it('tells the scoring backend of the request that it gets', () => {
    const score = inTrace(CALLER.trace).find(({ name }) => name === 'score');

    expect(asked[0]?.traceparent).toBe(`00-${CALLER.trace}-${score?.spanId}-01`);
    expect(attribute(score, 'trust_directory.outcome')).toBe('answered');
  });
});

describe('a metered call of a server that scores by itself', () => {
  it('is two statements: it is read by one and charged by one', () => {
    // A new score that overtakes another is recorded later in the background.
    const waitedFor = sentAtOnce.filter((sql) => !sql.includes('INSERT INTO score_due'));

    expect(waitedFor).toHaveLength(2);
    expect(waitedFor[0]).toContain('plan_in_force(');
    expect(waitedFor[1]).toContain(STATEMENT_TEXT.charge);
  });

  it('is traced as any other: its statements and its score are under it', () => {
    const trace = inTrace(CALLER_AT_ONCE.trace);
    const under = trace.find(({ parentSpanId }) => parentSpanId === CALLER_AT_ONCE.span);
    const children = trace.filter(({ parentSpanId }) => parentSpanId === under?.spanId);
    const score = children.find(({ name }) => name === 'score');

    expect(children.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['ledger look_up', 'score', 'ledger charge']),
    );
    expect(attribute(score, 'trust_directory.outcome')).toBe('answered');
  });
});

describe('traces that begin here', () => {
  it('contain the error code of a rejected call', () => {
    const refused = spans.find((span) => attribute(span, 'error.type') === 'subject_not_found');

    expect(refused).toMatchObject({ name: 'POST /api/svc/operations/run', status: { code: 0 } });
    expect(refused?.parentSpanId ?? '').toBe('');
  });

  it('link a batched statement to each of its calls', () => {
    const requests = new Set(
      spans.filter(({ name }) => name === 'POST /api/svc/operations/run').map(({ spanId }) => spanId),
    );
    const batches = spans.filter((span) => Number(attribute(span, 'db.operation.batch.size')) > 1);

    expect(batches.length).toBeGreaterThan(0);
    for (const batch of batches) {
      const calls = [batch.parentSpanId ?? '', ...batch.links.map(({ spanId }) => spanId)];
      expect(new Set(calls).size).toBe(Number(attribute(batch, 'db.operation.batch.size')));
      expect(calls.filter((each) => !requests.has(each))).toEqual([]);
    }
  });

  it('go to the collector’s address for traces, and hold no secret and no text of a request', () => {
    const secrets = [account.key.secret, token, TOKEN, EMAIL, 'people.example', STRAY, repository];

    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      expect(body).toMatch(/^\/v1\/traces /);
      expect(secrets.filter((each) => body.includes(each))).toEqual([]);
    }
  });

  it('count in the metrics as without them', async () => {
    const { text: told = '' } = (await services.metrics?.scrape()) ?? {};

    expect(told).toContain('trust_directory_ledger_statement_calls_count{statement="settle"}');
  });
});
