import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectEveryRow } from '../server/testing/every-row.ts';
import { BAD_ADDRESSES, BAD_BYTES, type BadAddress, nameOfAddress } from './bad-input/bad-addresses.ts';
import { type BadBody, type BadField, badBodies, badFields } from './bad-input/bad-bodies.ts';
import { type BothTargets, openBothTargets, type Place } from './targets/both-targets.ts';
import { json, type RawRequest, sendRaw } from './targets/server/raw-request.ts';

const RUN = '/api/svc/operations/run';
const REGISTER = '/api/agents/register';
const RUN_BODY = { operation: 'agent_score', subject: 'example-labs/agent', idempotency_key: 'error-table' };
const REGISTRATION = {
  repoHostUrl: 'https://github.com/example-labs/agent-of-the-error-table',
  name: 'Changelog Agent',
  description: 'Reads merged pull requests and drafts release notes.',
  category: 'coding',
  tags: ['release-notes'],
};

/** Options to run the cases concurrently, because no refusal depends on another. */
const AT_ONCE = { concurrency: 8 };
const nameOf = ({ name }: { name: string }) => name;

let targets: BothTargets;
beforeAll(async () => {
  targets = await openBothTargets();
});
afterAll(() => targets?.stop());

/** Returns everything that a caller sees of a refusal, except its request id. */
async function told({ url, headers }: Place, request: RawRequest) {
  const answer = await sendRaw(url, { ...request, headers: { ...request.headers, ...headers } });
  const header = (name: string) => answer.headers.get(name);
  return {
    status: answer.status,
    body: answer.body,
    allow: header('allow'),
    type: header('content-type'),
    cached: header('cache-control'),
    challenge: header('www-authenticate'),
    readers: header('access-control-allow-origin'),
    hasRequestId: /^[\w.-]{1,128}$/.test(header('x-request-id') ?? ''),
  };
}

/** Returns the refusal, which both targets must give word for word. */
async function refusalOf(request: RawRequest) {
  const [server, mock] = await Promise.all([told(targets.server, request), told(targets.mock, request)]);
  expect(mock).toEqual(server);
  expect(server.status).toBeGreaterThanOrEqual(400);
  return server;
}

const post = (path: string, content: Partial<RawRequest>): RawRequest => ({
  method: 'POST',
  path,
  ...content,
});

describe.each([
  ['the metered route', RUN, RUN_BODY, 'subject', '#/components/schemas/RunOperationRequest'],
  ['registration', REGISTER, REGISTRATION, 'name', '#/components/schemas/RegisterAgentRequest'],
] as const)('%s refuses on both targets, in the same words,', (_name, path, valid, textField, schema) => {
  it('every bad body', async () => {
    const check = async ({ content, status }: BadBody) =>
      expect(await refusalOf(post(path, content))).toMatchObject({ status });

    await expectEveryRow(badBodies(valid, textField), nameOf, check, AT_ONCE);
  });

  it('every bad field', async () => {
    const check = async ({ body }: BadField) =>
      expect(await refusalOf(post(path, json(body)))).toMatchObject({ status: 400 });

    await expectEveryRow(badFields(schema, valid), nameOf, check, AT_ONCE);
  });

  it.each(['page=1', 'a', '=', 'api_key_id=1'])('a parameter: %s', async (query) => {
    expect(await refusalOf(post(`${path}?${query}`, json(valid)))).toMatchObject({ status: 400 });
  });

  it.each([
    ['no credential', {}],
    ['a credential of another scheme', { Authorization: 'Basic YTpi' }],
    ['an empty credential', { Authorization: 'Bearer ' }],
  ])('%s', async (_case, headers) => {
    const request = { ...post(path, json(valid)) };
    const ask = (place: Place) => told({ ...place, headers }, request);
    const [server, mock] = await Promise.all([ask(targets.server), ask(targets.mock)]);

    expect(mock).toEqual(server);
    expect(server).toMatchObject({ status: 401, challenge: 'Bearer' });
  });
});

describe('an address is refused on both targets, in the same words:', () => {
  it('every bad address', async () => {
    const check = async ({ method = 'GET', path, headers = {}, status }: BadAddress) =>
      expect(await refusalOf({ method, path, headers })).toMatchObject({ status });

    await expectEveryRow(BAD_ADDRESSES, nameOfAddress, check, AT_ONCE);
  });

  it.each(['/nowhere', '/api/console', '/api/console/nothing', '/api/svc/nothing', '/openapi.txt'])(
    'GET %s, which nobody has',
    async (path) => {
      expect(await refusalOf({ method: 'GET', path })).toMatchObject({ status: 404 });
    },
  );

  it.each([
    ['GET', '/api/agents', '{}'],
    ['DELETE', '/api/console/session', '{}'],
  ])('%s %s with a body that it does not take', async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json' };

    expect(await refusalOf({ method, path, headers, body })).toMatchObject({ status: 400 });
  });

  it.each(['GET /api/console/keys', 'DELETE /api/console/session'])(
    '%s, which is for a session, with an access key',
    async (line) => {
      const [method = '', path = ''] = line.split(' ');

      const refusal = await refusalOf({ method, path });

      // The refusal has no WWW-Authenticate header, because a retry with a bearer token would be refused too.
      expect(refusal).toMatchObject({ status: 401, challenge: null });
      expect(JSON.parse(refusal.body).message).toMatch(/does not accept access keys.* Sign in at \/sign-in/);
    },
  );
});

it('what is no request at all is answered alike', async () => {
  await expectEveryRow(BAD_BYTES, nameOf, async ({ bytes }) => {
    const replies = [targets.server, targets.mock].map(async ({ url }) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(bytes);
      return (await text(socket)).replaceAll(/(?:X-Request-Id|Date): .*\r\n/gi, '');
    });
    const [server, mock] = await Promise.all(replies);

    expect(mock).toBe(server);
    expect(server).toMatch(/^HTTP\/1\.1 400 /);
  });
});
