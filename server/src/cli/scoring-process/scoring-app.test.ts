import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_VECTORS } from '../../../testing/scoring/account-vectors.ts';
import { CREATOR_VECTORS } from '../../../testing/scoring/creator-vectors.ts';
import { GOLDEN_VECTORS, repositoryFacts, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import { loadContract } from '../../platform/http/contract/parse-contract.ts';
import { scoreByMethod } from '../../scoring/embedded/embedded-backend.ts';
import { buildScoringApp, createRequestReader } from './serve-scoring.ts';

const TOKEN = 'agreed-between-the-two';
const RUN_ID = '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47';

let app: FastifyInstance;
let logged = '';

beforeAll(() => {
  const to = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  const readRequest = createRequestReader(loadContract());
  app = buildScoringApp({ token: TOKEN, log: pino({ level: 'trace' }, to), readRequest });
});
afterAll(() => app.close());

async function post(
  body: unknown,
  headers: Record<string, string> = {},
  url = '/score',
): Promise<{ status: number; body: Record<string, unknown>; headers: Record<string, unknown> }> {
  const answer = await app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

const request = scoreRequest(repositoryFacts());

describe('the scoring process', () => {
  const vectors = [
    ...GOLDEN_VECTORS.map(({ name, facts }) => [name, scoreRequest(facts)] as const),
    ...CREATOR_VECTORS.map(({ name, facts }) => [name, scoreRequest(facts, 'creator')] as const),
    ...ACCOUNT_VECTORS.map(({ name, type, facts }) => [name, scoreRequest(facts, type)] as const),
  ];

  it.each(vectors)('answers vector %s like the embedded method, repeatedly', async (_name, asked) => {
    const [first, second] = [
      await post({ ...asked, runId: RUN_ID }),
      await post({ ...asked, runId: RUN_ID }),
    ];

    expect(first.status).toBe(200);
    expect(first.body).toEqual(JSON.parse(JSON.stringify(scoreByMethod(asked))));
    expect(second.body).toEqual(first.body);
  });

  it.each([
    ['no token', undefined],
    ['another token', 'Bearer agreed-between-the-twO'],
    ['a token that begins so', `Bearer ${TOKEN}x`],
    ['the beginning of the token', `Bearer ${TOKEN.slice(0, -1)}`],
    ['another scheme', `Basic ${TOKEN}`],
    ['the bare token', TOKEN],
  ])('refuses %s before reading the body', async (_what, authorization) => {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };

    const answer = await app.inject({ method: 'POST', url: '/score', headers, payload: '{' });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json()).toEqual({ message: expect.stringContaining('Bearer') });
  });

  it.each([
    ['no JSON', '{"operation":', /not valid JSON/],
    ['nothing', '', /empty/],
    ['a list', [request], /object/],
    ['no facts', { ...request, facts: undefined }, /facts is required/],
    [
      'facts of another type',
      { ...request, subject: { ...request.subject, type: 'creator' } },
      /portfolio is required/,
    ],
    [
      'an unknown type',
      { ...request, subject: { ...request.subject, type: 'robot' } },
      /agent, skill, creator, /,
    ],
    ['a number as text', { ...request, facts: { ...request.facts, archived: 'no' } }, /facts\.archived/],
    ['a moment without a zone', { ...request, now: '2026-11-20T00:00:00' }, /now/],
    ['a moment on 31 February', { ...request, now: '2026-02-31T00:00:00Z' }, /now/],
  ])('refuses %s with an explanation', async (_what, body, sentence) => {
    const answer = await post(body);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(sentence);
  });

  it('refuses facts with invalid dates instead of answering without a score', async () => {
    const leap = { value: '2016-12-31T23:59:60Z', observedAt: '2026-01-01T00:00:00Z', source: 'x' };

    expect((await post({ ...request, facts: { ...request.facts, lastCommitAt: leap } })).status).toBe(400);
  });

  it('refuses bodies that are too large or of another type, and other paths', async () => {
    expect((await post({ ...request, note: 'x'.repeat(300_000) })).status).toBe(413);
    expect((await post('x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect(await post(request, {}, '/scores')).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('POST /score') },
    });
  });

  it('ignores unknown members, which the contract allows', async () => {
    const more = { ...request, hint: 'x', facts: { ...request.facts, downloadsTotal: 1 } };

    expect((await post(more)).status).toBe(200);
  });

  it.each(['/livez', '/readyz'])('answers %s without a token', async (url) => {
    const answer = await app.inject({ url });

    expect({ status: answer.statusCode, body: answer.json() }).toEqual({
      status: 200,
      body: { status: 'ok' },
    });
  });

  it('logs request and outcome with the run id, without token or facts', async () => {
    logged = '';
    await post({ ...scoreRequest(repositoryFacts()), runId: RUN_ID });
    await post('{"secret-in-the-body": ');
    await post(request, { authorization: 'Bearer secret-guess' });

    const lines = logged
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ route, status, ledgerId }) => ({ route, status, ledgerId }))).toEqual([
      { route: '/score', status: 200, ledgerId: RUN_ID },
      { route: '/score', status: 400, ledgerId: undefined },
      { route: '/score', status: 401, ledgerId: undefined },
    ]);
    expect(logged).not.toMatch(/secret|agreed-between|owner\/subject|authorization/i);
  });
});
