import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mock, startMock } from './start-mock.ts';

let mock: Mock;

beforeAll(async () => {
  mock = await startMock({ host: '127.0.0.1', port: 0 });
}, 30_000);
afterAll(() => mock.close());

const call = { operation: 'skill_score', subject: 'upstash/context7' };

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${mock.url}/api/svc/operations/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('the mock', () => {
  it('answers the operation that was asked for, replays it, and refuses its key for another', async () => {
    const body = { ...call, idempotency_key: 'first' };

    const fresh = await post(body);
    const repeated = await post(body);
    const reused = await post({ ...body, operation: 'agent_score' });

    expect(await fresh.json()).toMatchObject({ operation: 'skill_score', result: { mode: 'fast' } });
    expect(fresh.headers.get('idempotent-replayed')).toBeNull();
    expect(await repeated.json()).toMatchObject({ ok: true, result: null, idempotent: true });
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(reused.status).toBe(422);
  });

  it('does not remember what had no result', async () => {
    const body = { ...call, idempotency_key: 'retried' };

    const price = await post({ ...body, dry_run: true });
    const failure = await post(body, { prefer: 'code=502' });
    const retried = await post(body);

    expect(await price.json()).toMatchObject({ dry_run: true, result: null });
    expect(failure.status).toBe(502);
    expect(await retried.json()).toMatchObject({ result: { mode: 'fast' } });
  });

  it('answers 501 on the reserved channel with or without a credential', async () => {
    const body = { ...call, channel: 'mcp', idempotency_key: 'm' };

    const keyed = await post(body);
    const unkeyed = await fetch(`${mock.url}/api/svc/operations/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

    expect([keyed.status, unkeyed.status]).toEqual([501, 501]);
    expect(await unkeyed.json()).toMatchObject({ error: 'mcp_not_available' });
  });

  it("sends the answer that the caller's Prefer picks", async () => {
    const prefer = 'code=409, example=idempotency_in_progress';

    const busy = await post({ ...call, idempotency_key: 'p' }, { prefer });
    const ambiguous = await post({ ...call, idempotency_key: 'p' }, { prefer: 'code=409' });

    expect([busy.status, ambiguous.status]).toEqual([409, 409]);
    expect(busy.headers.get('retry-after')).toBe('2');
    expect(ambiguous.headers.get('retry-after')).toBeNull();
  });

  it('answers 400, not the 422 of a reused key, where the body breaks the contract', async () => {
    const refused = await post({ operation: 'skill_score', subject: 'a/b' });

    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ ok: false, code: 'invalid_request' });
    expect(refused.headers.get('sl-violations')).toContain('idempotency_key');
  });

  it.each([
    ['broken JSON', '{bad', 400],
    ['no body', '', 400],
    ['null', 'null', 400],
    ['more than the service takes', JSON.stringify({ ...call, idempotency_key: 'k'.repeat(17_000) }), 413],
  ])(
    'answers a body of %s at once',
    async (_name, body, status) => {
      const answer = await post(body);

      expect(answer.status).toBe(status);
      expect((await answer.text()).length).toBeGreaterThan(0);
    },
    3_000,
  );

  it('stays up when a caller goes away in the middle of a body', async () => {
    const { port } = new URL(mock.url);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /api/svc/operations/run HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"op');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();

    const answer = await post({ ...call, idempotency_key: 'after' });

    expect(answer.status).toBe(200);
  });

  it('passes everything else to Prism: parameters, examples, unknown paths', async () => {
    const [page, empty, unknown] = await Promise.all([
      fetch(`${mock.url}/api/agents?limit=2`),
      fetch(`${mock.url}/api/agents`, { headers: { prefer: 'example=empty' } }),
      fetch(`${mock.url}/nowhere`),
    ]);

    expect(await page.json()).toMatchObject({ nextCursor: expect.any(String) });
    expect(page.headers.get('link')).toContain('rel="next"');
    expect(await empty.json()).toMatchObject({ data: [], nextCursor: null });
    expect(empty.headers.get('link')).toBeNull();
    expect(unknown.status).toBe(404);
  });

  it('fails to start on a port that is taken, and leaves nothing running', async () => {
    const port = Number(new URL(mock.url).port);

    await expect(startMock({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
