import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { VARIABLES } from '../../server/src/platform/config/settings.ts';
import { REPOSITORY_HOSTS } from './mock-app.ts';
import { type Mock, startMock } from './start-mock.ts';

let mock: Mock;

beforeAll(async () => {
  mock = await startMock({ host: '127.0.0.1', port: 0 });
});
afterAll(() => mock.close());

const call = { operation: 'skill_score', subject: 'upstash/context7' };

function post(body: unknown, headers: Record<string, string> = {}, url = mock.url): Promise<Response> {
  return fetch(`${url}/api/svc/operations/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('the mock', () => {
  it('runs an operation, replays it, and rejects its key for another one', async () => {
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

  it('does not store calls without a result', async () => {
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

  it.each([
    ['code=418', {}],
    ['example=nothing_of_this_name', {}],
    ['code=402, example=replay', {}],
    ['code=many', {}],
    ['dynamic=perhaps', {}],
    ['delay=soon', {}],
  ])('refuses a Prefer that it can’t meet: %s', async (prefer) => {
    const refused = await post({ ...call, idempotency_key: `p ${prefer}`.replaceAll(/\W/g, '') }, { prefer });

    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining('Prefer') }),
    ]);
  });

  it.each(['/api/receipts?', '/api/console/usage?', '/api/console/usage.csv?'])(
    'refuses days in the wrong order, and days that no calendar has, as the server does: %s',
    async (path) => {
      const ask = (days: string) =>
        fetch(`${mock.url}${path}${days}`, { headers: { authorization: 'Bearer any', cookie: 'sid=any' } });

      const reversed = await ask('from=2026-11-22&to=2026-11-21');

      expect([reversed.status, await reversed.json()]).toEqual([
        400,
        expect.objectContaining({ message: 'from must not be after to: both days are included.' }),
      ]);
      expect((await ask('from=2026-02-30')).status).toBe(400);
      expect((await ask('from=2026-11-21&to=2026-11-21')).status).toBe(200);
    },
  );

  it.each([
    ['https://example.com/a/b', 400],
    ['https://github.com/only-an-owner', 400],
    ['https://github.com/a/b', 201],
  ])('takes a registration of %s as a server does: %i', async (repoHostUrl, status) => {
    const answer = await fetch(`${mock.url}/api/agents/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
      body: JSON.stringify({ repoHostUrl, name: 'A', description: 'B', category: 'coding' }),
    });

    expect(answer.status).toBe(status);
  });

  it('takes the hosts that a server takes without a setting', () => {
    expect(REPOSITORY_HOSTS).toEqual(VARIABLES.REPOSITORY_HOSTS.unset);
  });

  it('reports an invalid body like the server', async () => {
    const refused = await post({ operation: 'skill_score', subject: 'a/b' });

    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      ok: false,
      operation: 'skill_score',
      channel: 'api',
      error: 'idempotency_key is required.',
      code: 'invalid_request',
    });
  });

  it('rejects a key whose first call is still delayed, with the receipt of that call', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const held = await startMock({
      host: '127.0.0.1',
      port: 0,
      async wait(delayMs) {
        if (delayMs === 0) return;
        arrive();
        await released;
      },
    });
    onTestFinished(() => held.close());
    const body = { ...call, idempotency_key: 'held' };

    const first = post(body, { prefer: 'delay=60000' }, held.url);
    await arrived;
    const [meanwhile, another] = await Promise.all([
      post(body, {}, held.url),
      post({ ...body, operation: 'agent_score' }, {}, held.url),
    ]);
    release();
    const { ledger_id } = (await (await first).json()) as { ledger_id: string };

    expect([meanwhile.status, another.status]).toEqual([409, 422]);
    expect(meanwhile.headers.get('retry-after')).toBe('2');
    expect(await meanwhile.json()).toMatchObject({ code: 'idempotency_in_progress', ledger_id });
    expect(await (await post(body, {}, held.url)).json()).toMatchObject({ idempotent: true, ledger_id });
  });

  it('gives a caller 201 for a registration, and says where it can be read', async () => {
    const answer = await fetch(`${mock.url}/api/agents/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
      body: JSON.stringify({
        repoHostUrl: 'https://github.com/a/b',
        name: 'A',
        description: 'B',
        category: 'coding',
      }),
    });

    const { id } = (await answer.json()) as { id: string };
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/api/agents/${id}`);
  });

  it('pages through a list by cursor and by offset, each entry once', async () => {
    type Page = { data: { id: string }[]; total: number; nextCursor: string | null };
    const page = async (query: string) =>
      (await (await fetch(`${mock.url}/api/agents?${query}`)).json()) as Page;

    const whole = await page('limit=100');
    const byCursor: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: Page = await page(cursor === '' ? 'limit=1' : `limit=1&cursor=${cursor}`);
      byCursor.push(...next.data.map(({ id }) => id));
      cursor = next.nextCursor;
    }
    const second = await page('limit=1&offset=1');
    const beyond = await page('offset=100');

    expect(whole.data.length).toBe(whole.total);
    expect(whole.total).toBeGreaterThan(2);
    expect(byCursor).toEqual(whole.data.map(({ id }) => id));
    expect(second).toMatchObject({ data: [whole.data[1]], offset: 1, limit: 1, total: whole.total });
    expect(beyond).toMatchObject({ data: [], nextCursor: null });
  });

  it('rejects a response that the contract does not have', async () => {
    const answer = await post({ ...call, idempotency_key: 'none' }, { prefer: 'code=418' });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'invalid_request',
      error: expect.stringContaining('code=418'),
    });
  });

  it('generates values of the schema with dynamic=true', async () => {
    const usual = await (await fetch(`${mock.url}/api/agents/AGT-7K2MQ9XD`)).json();
    const made = await fetch(`${mock.url}/api/agents/AGT-7K2MQ9XD`, { headers: { prefer: 'dynamic=true' } });

    expect(made.status).toBe(200);
    expect(await made.json()).not.toEqual(usual);
  });

  it.each([
    ['broken JSON', '{bad', 400],
    ['no body', '', 400],
    ['null', 'null', 400],
    ['more than the service takes', JSON.stringify({ ...call, idempotency_key: 'k'.repeat(17_000) }), 413],
  ])('answers a body of %s', async (_name, body, status) => {
    const answer = await post(body);

    expect(answer.status).toBe(status);
    expect((await answer.text()).length).toBeGreaterThan(0);
  });

  it('survives a caller that disconnects while sending a body', async () => {
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
