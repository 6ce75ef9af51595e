import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  agent,
  directoryError,
  dryRun,
  freshRun,
  page,
  receipt,
  record,
  replay,
  subject,
} from '../test/samples.ts';

const account = { id: '0f8b2c1e-6a54-4c1d-9b0e-2f6d7a3c5e91', kind: 'repo_host', state: 'pending' };
const creator = { handle: 'example-labs', displayName: 'Example Labs', trustScore: null, confidence: null };

/** Responses by method and path; some depend on `?cursor=…` or on the subject. */
const ANSWERS: Record<string, unknown> = {
  'GET /api/agents': { ...page, total: 2, nextCursor: 'second' },
  'GET /api/agents?second': { ...page, total: 2, nextCursor: null },
  'GET /api/agents/AGT-7K2MQ9XD': agent,
  'GET /api/agents/AGT-7K2MQ9XD/lineage': { root: agent, ancestors: [], descendants: [], depth: 0 },
  'GET /api/identity/example-labs': creator,
  'GET /api/subjects': record,
  'GET /api/subjects?nobody': [404, directoryError(404, 'not_found')],
  'GET /api/subjects?ambiguous': [
    409,
    { ...directoryError(409, 'subject_ambiguous'), candidates: [subject] },
  ],
  'GET /api/subjects?limited': [429, directoryError(429, 'rate_limited')],
  [`GET /api/subjects/${subject.canonical_id}`]: record,
  'GET /api/receipts': { data: [receipt], nextCursor: null },
  [`GET /api/receipts/${receipt.ledger_id}`]: receipt,
  'GET /api/console/linked-accounts': { data: [account] },
  'POST /api/console/linked-accounts': [201, account],
  [`DELETE /api/console/linked-accounts/${account.id}`]: [204, undefined],
  'GET /api/console/lineage': { data: [], nextCursor: null },
};

/** Starts a service that responds like the first release, until the test ends. Returns its URL. */
export async function startService(): Promise<string> {
  const settled = new Set<unknown>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const variant = searchParams.get('cursor') ?? searchParams.get('subject');
    const plain = `${request.method} ${pathname}`;
    const answer =
      pathname === '/api/svc/operations/run'
        ? runOnce(JSON.parse(text), settled)
        : (ANSWERS[`${plain}?${variant}`] ?? ANSWERS[plain]);
    const [status, body] = Array.isArray(answer) ? answer : [200, answer];
    const headers = { 'content-type': 'application/json', 'x-request-id': 'request-1', 'retry-after': '7' };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function runOnce({ dry_run, idempotency_key }: Record<string, unknown>, settled: Set<unknown>): unknown {
  if (dry_run) return dryRun;
  if (settled.has(idempotency_key)) return replay;
  settled.add(idempotency_key);
  return freshRun;
}
