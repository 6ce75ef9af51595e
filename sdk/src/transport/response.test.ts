import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { agent, freshRun, KEY, operationError, page } from '../../test/samples.ts';
import { type Reply, standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import { AbortError } from '../errors/errors.ts';
import { ApiError, UnexpectedAnswerError } from '../errors/public-errors.ts';
import { VERSION } from '../generated/version.ts';
import { rawOf } from '../raw.ts';
import type { Fetch } from './client-options.ts';
import { userAgentHeader } from './user-agent.ts';

const run = { operation: 'agent_score', subject: 'a/b', idempotency_key: 'order-1' } as const;

async function errorAfter(reply: Reply, options = {}) {
  const server = await standIn(reply);
  const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY, maxRetries: 0, ...options });
  return client.operations.run(run).then(
    () => expect.unreachable('the call should have failed'),
    (error) => error,
  );
}

describe('an error contains the response', () => {
  const html = { 'content-type': 'text/html; charset=utf-8', server: 'gateway/2' };

  it.each([200, 502])('with %i: headers, content type and body, the type in its message', async (status) => {
    const error = await errorAfter({ status, body: '<h1>Who are you?</h1>', headers: html });

    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe(`Unexpected response: ${status} text/html; charset=utf-8.`);
    expect(error.contentType).toBe('text/html; charset=utf-8');
    expect(error.headers.get('server')).toBe('gateway/2');
    expect(error.body).toBe('<h1>Who are you?</h1>');
  });

  it('has the service’s message, also with headers and body', async () => {
    const error = await errorAfter({ status: 402, body: operationError('insufficient_credits') });

    expect(error.message).toBe('It failed: insufficient_credits.');
    expect(error.contentType).toBe('application/json');
    expect(JSON.parse(error.body)).toEqual(operationError('insufficient_credits'));
  });

  it('has at most 2 kB of the body', async () => {
    const error = await errorAfter({ status: 502, body: 'x'.repeat(5_000), headers: html });

    expect(error.body).toBe('x'.repeat(2_048));
  });

  it('keeps the hint svc_live_…, but redacts a key after it', async () => {
    const hint = 'An access key is required: send it as "Authorization: Bearer svc_live_…".';
    const body = {
      error: 'unauthorized',
      message: `${hint} Bearer ${KEY}x Bearer svc_live_abc…`,
      status: 401,
    };

    const error = await errorAfter({ status: 401, body });

    expect(error.message).toBe(`${hint} [key]x [secret]…`.replace('[key]x', 'Bearer [key]x'));
  });

  it('redacts the client’s key, other keys, credentials and cookies', async () => {
    const other = `svc_live_${'Z'.repeat(38)}`;
    const secrets = `${KEY} ${other} Bearer abc.def-1 Basic dXNlcjpwYXNz`;
    const headers = { ...html, 'x-echo': secrets, 'set-cookie': 'sid=session-1' };

    // The cut is made in the middle of a key.
    const error = await errorAfter({ status: 502, body: `${secrets}${'x'.repeat(1_990)}${other}`, headers });

    const shown = JSON.stringify([error.body, ...error.headers, error.message]);
    expect(shown).toContain('[key] [secret] [secret] [secret]');
    expect(shown).not.toMatch(/svc_live_|abc\.def|dXNlcjpwYXNz|session-1/);
  });

  it('reads code and message next to a secret', async () => {
    const error = await errorAfter({
      status: 400,
      body: { error: `Bearer ${KEY}`, code: 'invalid_request' },
    });

    expect(error).toMatchObject({ code: 'invalid_request', message: expect.not.stringContaining(KEY) });
  });

  it('has a null content type without the header', async () => {
    const fetch = async () => new Response(null, { status: 502 });

    expect(await errorAfter({}, { fetch })).toMatchObject({
      contentType: null,
      message: 'Unexpected response: 502 no type.',
      body: '',
    });
  });
});

describe('a response that is too large', () => {
  it.each([200, 503])('is an error that names the option, and not retried (%i)', async (status) => {
    const server = await standIn({ status, body: { ...page, more: 'x'.repeat(2_000) } });
    const client = new TrustDirectory({ baseUrl: server.url, maxAnswerBytes: 1_000 });

    const error = await client.agents.list().catch((reason) => reason);

    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({
      message: 'Response exceeds maxAnswerBytes.',
      status,
      attempts: 1,
    });
    await expect(rawOf(client).GET('/api/agents')).rejects.toBeInstanceOf(UnexpectedAnswerError);
    expect(server.seen).toHaveLength(2);
  });

  it('exceeds 32 MiB; the rest is not read', async () => {
    let sent = 0;
    const chunk = new Uint8Array(2 ** 20);
    const pull = (controller: ReadableStreamDefaultController) => {
      sent += 1;
      controller.enqueue(chunk);
    };
    const cancel = vi.fn();
    const fetch = async () => new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }));
    const client = new TrustDirectory({ baseUrl: 'https://trust.example', fetch });

    await expect(client.agents.list()).rejects.toThrow('exceeds maxAnswerBytes');

    expect(sent).toBe(33);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('may equal the limit, however its characters are split into chunks', async () => {
    const body = new TextEncoder().encode(JSON.stringify({ ...agent, name: 'Größe 😀' }));
    const fetch = async () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const byte of body) controller.enqueue(Uint8Array.of(byte));
            controller.close();
          },
        }),
      );
    const client = new TrustDirectory({
      baseUrl: 'https://trust.example',
      fetch,
      maxAnswerBytes: body.length,
    });

    expect((await client.agents.get(agent.id)).name).toBe('Größe 😀');
    await expect(client.agents.get(agent.id, { maxAnswerBytes: body.length - 1 })).rejects.toThrow('exceeds');
  });
});

describe('withResponse', () => {
  it('gives a readable body, also of a run', async () => {
    const server = await standIn({ body: page }, { body: freshRun });
    const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });

    const list = await client.agents.list().withResponse();
    const settled = await client.operations.run(run).withResponse();

    expect(await list.response.json()).toEqual(page);
    expect(await settled.response.text()).toBe(JSON.stringify(freshRun));
    expect(list.meta.elapsedMs).toBeGreaterThan(0);
  });
});

describe('a signal', () => {
  it('has one listener for concurrent calls, and none after them', async () => {
    const warned = vi.fn();
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    const fetch = () => new Promise<Response>(() => {});
    const client = new TrustDirectory({ baseUrl: 'https://trust.example', fetch });
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');

    const calls = Array.from({ length: 30 }, () => client.agents.list({}, { signal: controller.signal }));
    await new Promise(setImmediate);
    expect(added).toHaveBeenCalledOnce();
    controller.abort();

    for (const call of await Promise.allSettled(calls))
      expect(call).toMatchObject({ reason: expect.any(AbortError) });
    expect(removed).toHaveBeenCalledOnce();
    await new Promise(setImmediate);
    expect(warned).not.toHaveBeenCalled();
  });

  it('aborts only its own calls', async () => {
    const server = await standIn({ instead: 'never' }, { body: page });
    const client = new TrustDirectory({ baseUrl: server.url });
    const [first, second] = [new AbortController(), new AbortController()];
    const ended = client.agents.list({}, { signal: first.signal }).catch((reason) => reason);
    await expect.poll(() => server.seen).toHaveLength(1);

    const going = client.agents.list({}, { signal: second.signal });
    first.abort();

    expect(await ended).toBeInstanceOf(AbortError);
    expect(await going).toEqual(page);
  });
});

describe('request headers', () => {
  it('contain version and runtime in User-Agent', async () => {
    const seen: (string | undefined)[] = [];
    const fetch: Fetch = async (_url, { headers }) => {
      seen.push(headers['user-agent'], headers['x-client']);
      return Response.json(page);
    };

    await new TrustDirectory({ baseUrl: 'https://trust.example', fetch }).agents.list();

    const [agentName, clientHeader] = seen;
    expect(agentName).toMatch(new RegExp(`^trust-directory-sdk/${VERSION} Node\\.js/v?\\d+`));
    expect(clientHeader).toBe(undefined);
  });

  it('contain them in X-Client in a browser', () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11) Chrome/140' });
    const name = userAgentHeader();
    vi.unstubAllGlobals();

    expect(name).toEqual({ 'x-client': `trust-directory-sdk/${VERSION} Mozilla/5.0 (X11) Chrome/140` });
  });

  it('of a call override those of the client', async () => {
    const sent: Record<string, string>[] = [];
    const fetch: Fetch = async (_url, { headers, redirect }) => {
      sent.push({ ...headers, redirect });
      return Response.json(page);
    };
    const client = new TrustDirectory({
      baseUrl: 'https://trust.example',
      fetch,
      headers: { 'X-Tenant': 'a' },
    });

    await client.agents.list();
    await client.agents.list({}, { headers: { 'X-Trace': '1', 'User-Agent': 'mine' } });
    await new TrustDirectory({ baseUrl: 'https://trust.example', fetch }).agents.list();

    expect(sent).toMatchObject([
      { 'x-tenant': 'a', redirect: 'manual' },
      { 'x-trace': '1', 'user-agent': 'mine', redirect: 'manual' },
      { redirect: 'follow' },
    ]);
    expect(sent[1]).not.toHaveProperty('x-tenant');
  });
});
