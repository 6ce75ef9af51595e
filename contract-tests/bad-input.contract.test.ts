import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectEveryRow } from '../server/testing/every-row.ts';
import { makeListing } from '../server/testing/factories.ts';
import { problemsOfValue, type ReceivedAnswer } from './answers/check-answer.ts';
import {
  BAD_ADDRESSES,
  BAD_BYTES,
  type BadAddress,
  INHERITED_WORDS,
  inheritedSubjects,
  nameOfAddress,
  UNKNOWN_NAMES,
} from './bad-input/bad-addresses.ts';
import { type BadBody, type BadField, badBodies, badFields } from './bad-input/bad-bodies.ts';
import { bearer } from './targets/client.ts';
import { callersOf } from './targets/server/callers.ts';
import { countRows } from './targets/server/count-rows.ts';
import { json, type RawRequest, sendRaw } from './targets/server/raw-request.ts';
import { openServerWorld, type ServerWorld } from './targets/server/server-world.ts';

const RUN = '/api/svc/operations/run';
const REGISTER = '/api/agents/register';

// Valid bodies; each test makes one part of them invalid. All requests have a credential that may do everything, so a body
// that is accepted by mistake writes rows, which the tests detect.
const RUN_BODY = { operation: 'agent_score', subject: 'example-labs/agent', idempotency_key: 'bad-input' };
const REGISTRATION = {
  repoHostUrl: 'https://github.com/example-labs/agent-of-bad-input',
  name: 'Changelog Agent',
  description: 'Reads merged pull requests and drafts release notes.',
  category: 'coding',
  tags: ['release-notes'],
};

/** Options to run the cases concurrently: no refusal depends on another, and rows in the database are counted at the end. */
const AT_ONCE = { concurrency: 8 };
const nameOf = ({ name }: { name: string }) => name;

let world: ServerWorld;
let url: string;
let secret: string;
let rows: Record<string, number>;

beforeAll(async () => {
  world = await openServerWorld();
  url = await world.urlOf('working');
  secret = (await callersOf(world).account()).key.secret;
  await makeListing(world.database, { owner: 'example-labs', name: 'agent' });
  // The first call of an account stores its balance of the month, so make it before rows are counted.
  const first = await post(RUN, json({ ...RUN_BODY, idempotency_key: randomUUID() }));
  expect(first.status).toBe(200);
});
beforeEach(async () => {
  rows = await countRows(world.database);
});
afterEach(async () => {
  expect(await countRows(world.database)).toEqual(rows);
});
afterAll(() => world?.stop());

function post(path: string, content: Partial<RawRequest>): Promise<ReceivedAnswer> {
  return sendRaw(url, {
    method: 'POST',
    path,
    ...content,
    headers: { ...content.headers, ...bearer(secret) },
  });
}

/** Expects a refusal: this status, repeated in a body of the route's error schema, a request id and no caching. */
function expectRefusal({ status, headers, body }: ReceivedAnswer, expected: number, path: string): void {
  expect({ status, body }).toEqual({ status: expected, body: expect.any(String) });
  expect(headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
  expect(headers.get('cache-control')).toBe('no-store');
  if (body === '') return;
  const schema = path.startsWith('/api/svc/') ? 'OperationError' : 'DirectoryError';
  expect(problemsOfValue('body', `#/components/schemas/${schema}`, JSON.parse(body))).toEqual([]);
  if (schema === 'DirectoryError') expect(JSON.parse(body)).toMatchObject({ status: expected });
}

describe.each([
  ['the metered route', RUN, RUN_BODY, 'subject', '#/components/schemas/RunOperationRequest'],
  ['registration', REGISTER, REGISTRATION, 'name', '#/components/schemas/RegisterAgentRequest'],
] as const)('%s refuses and writes nothing for', (_name, path, valid, textField, schema) => {
  it('every bad body', async () => {
    const check = async ({ content, status }: BadBody) =>
      expectRefusal(await post(path, content), status, path);

    await expectEveryRow(badBodies(valid, textField), nameOf, check, AT_ONCE);
  });

  it('every bad field', async () => {
    const check = async ({ body }: BadField) => {
      const answer = await post(path, json(body));

      expectRefusal(answer, 400, path);
      expect(answer.body).toMatch(/"invalid_(?:request|operation|channel)"/);
    };

    await expectEveryRow(badFields(schema, valid), nameOf, check, AT_ONCE);
  });

  it.each(['page=1', 'a', '=', 'api_key_id=1'])('a parameter: %s', async (query) => {
    expectRefusal(await post(`${path}?${query}`, json(valid)), 400, path);
  });
});

it('the metered route knows nobody by the words that objects inherit', async () => {
  const check = async (subject: string) => {
    const answer = await post(RUN, json({ ...RUN_BODY, subject, idempotency_key: randomUUID() }));

    expectRefusal(answer, 404, RUN);
  };

  await expectEveryRow(INHERITED_WORDS.flatMap(inheritedSubjects), (subject) => subject, check, AT_ONCE);
});

it('every bad address is refused', async () => {
  const check = async ({ method = 'GET', path, headers = {}, status }: BadAddress) => {
    const answer = await sendRaw(url, { method, path, headers: { ...headers, ...bearer(secret) } });

    // Node refuses headers that are too long before it knows the path.
    expectRefusal(answer, status, status === 431 ? '' : path);
    if (method !== 'HEAD') expect(answer.body).not.toBe('');
    if (status === 405) {
      expect(answer.headers.get('allow')).toMatch(/^(?:GET|HEAD|POST)(?:, (?:HEAD|POST))*$/);
      expect(answer.headers.get('allow')?.split(', ')).not.toContain(method);
    }
  };

  await expectEveryRow([...BAD_ADDRESSES, ...UNKNOWN_NAMES], nameOfAddress, check, AT_ONCE);
});

describe('a body where none is asked for is refused with 400, unread:', () => {
  it.each([
    ['GET', '/api/agents', 'application/json', '{}'],
    ['GET', '/api/agents', 'text/plain', 'x'.repeat(20_000)],
    ['DELETE', '/api/console/session', 'application/json', '{}'],
    ['DELETE', '/api/console/session', 'text/plain', 'x'],
    [
      'POST',
      '/api/console/keys/3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55/pause',
      'text/plain',
      'x'.repeat(20_000),
    ],
  ])('%s %s of %s', async (method, path, type, body) => {
    const headers = { 'Content-Type': type };

    expectRefusal(await sendRaw(url, { method, path, headers, body }), 400, path);
  });
});

it('the metered route refuses in its own shape, however its path is spelled', async () => {
  expectRefusal(await post('/%61pi/svc/operations/run', json({})), 400, RUN);
});

it('every connection with bytes that are no request is answered with 400 and closed after', async () => {
  await expectEveryRow(BAD_BYTES, nameOf, async ({ bytes }) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(bytes);

    const reply = await text(socket);

    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toMatch(/\r\nX-Request-Id: [\w.-]+\r\n/i);
    expect(reply).toMatch(/\r\nCache-Control: no-store\r\n/i);
    expect(reply).toMatch(/\{.*"invalid_(?:request|json)".*\}$/s);
  });
});
