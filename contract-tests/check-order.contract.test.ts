import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount, makeListing } from '../server/src/testing/factories.ts';
import { refuse, usableScore } from '../server/src/testing/stand-in-backend.ts';
import { bearer } from './targets/client.ts';
import { callersOf } from './targets/server/callers.ts';
import { json, type RawRequest, sendChecked } from './targets/server/raw-request.ts';
import { newRegistration } from './targets/server/registration-states.ts';
import { openServerWorld, type ServerKind, type ServerWorld } from './targets/server/server-world.ts';

const RUN = '/api/svc/operations/run';
const REGISTER = '/api/agents/register';
const TOO_LONG = 'x'.repeat(17_000);

let world: ServerWorld;
let callers: ReturnType<typeof callersOf>;
/** A call that nothing is wrong with. */
let good: { operation: string; subject: string; idempotency_key: string };
/** A repository that is listed. */
let listed: string;

beforeAll(async () => {
  world = await openServerWorld();
  callers = callersOf(world);
  const { repository } = await makeListing(world.database);
  good = { operation: 'agent_score', subject: repository, idempotency_key: 'k' };
  listed = `https://github.com/${repository}`;
});
afterEach(() => world.restore());
afterAll(() => world?.stop());

type Body = Record<string, unknown>;

function run(secret: string | null, changes: Body = {}): RawRequest {
  return post(RUN, secret, json({ ...good, ...changes }));
}

function register(secret: string | null, changes: Body = {}): RawRequest {
  return post(REGISTER, secret, json({ ...newRegistration(), ...changes }));
}

/** A POST whose body is sent as it is. */
function post(path: string, secret: string | null, content: Partial<RawRequest>): RawRequest {
  return { method: 'POST', path, ...content, headers: { ...content.headers, ...bearer(secret) } };
}

const asJson = (body: string) => ({ body, headers: { 'Content-Type': 'application/json' } });
const asText = (body: string) => ({ body, headers: { 'Content-Type': 'text/plain' } });

async function answerTo(request: RawRequest, kind: ServerKind = 'working') {
  const { status, body } = await sendChecked(await world.urlOf(kind), request);
  const { code, error, ok, idempotent, dry_run } = JSON.parse(body) as Record<string, unknown>;
  const word = code ?? (ok === true ? (idempotent ? 'replay' : dry_run ? 'dry run' : 'result') : error);
  return `${status} ${word}`;
}

/** An account that has settled the good call and can pay for no other. */
async function emptyAccount(): Promise<string> {
  const { key } = await makeAccount(world.database);
  expect(await answerTo(run(key.secret))).toBe('200 result');
  for (let call = 1; call < 25; call++) await answerTo(run(key.secret, { idempotency_key: randomUUID() }));
  return key.secret;
}

describe('the metered route, wrong in two ways, tells the first: before the credential', () => {
  it.each([
    ['size, content type', () => post(RUN, null, asText(TOO_LONG)), '413 payload_too_large'],
    ['size, JSON', () => post(RUN, null, asJson(`{${TOO_LONG}`)), '413 payload_too_large'],
    ['size, fields', () => run(null, { subject: TOO_LONG }), '413 payload_too_large'],
    ['content type, JSON', () => post(RUN, null, asText('{bad')), '415 unsupported_media_type'],
    [
      'content type, credential',
      () => post(RUN, null, asText(JSON.stringify(good))),
      '415 unsupported_media_type',
    ],
    ['JSON, credential', () => post(RUN, null, asJson('{bad')), '400 invalid_json'],
    ['fields, credential', () => run(null, { subject: undefined }), '400 invalid_request'],
    ['unknown field, credential', () => run(null, { colour: 'red' }), '400 invalid_request'],
    ['unknown parameter, credential', () => ({ ...run(null), path: `${RUN}?page=1` }), '400 invalid_request'],
    ['fields, mcp', () => run(null, { channel: 'mcp', subject: undefined }), '400 invalid_request'],
    ['unknown field, mcp', () => run(null, { channel: 'mcp', colour: 'red' }), '400 invalid_request'],
    ['type, channel', () => run(null, { channel: 'web', subject: 7 }), '400 invalid_request'],
    [
      'fields, operation',
      () => run(null, { operation: 'x', idempotency_key: undefined }),
      '400 invalid_request',
    ],
    ['channel, operation', () => run(null, { channel: 'web', operation: 'x' }), '400 invalid_channel'],
    ['mcp, operation', () => run(null, { channel: 'mcp', operation: 'x' }), '501 mcp_not_available'],
    ['mcp, credential', () => run(null, { channel: 'mcp' }), '501 mcp_not_available'],
    ['channel, credential', () => run(null, { channel: 'web' }), '400 invalid_channel'],
    ['operation, credential', () => run(null, { operation: 'x' }), '400 invalid_operation'],
  ])('%s', async (_name, request, expected) => {
    expect(await answerTo(request())).toBe(expected);
  });
});

describe('the metered route, wrong in two ways, tells the first: from the credential on', () => {
  it('rate limit of the key, size', async () => {
    const secret = (await callers.account()).key.secret;
    await answerTo(run(secret), 'limited');

    expect(await answerTo(run(secret, { subject: TOO_LONG }), 'limited')).toBe('429 rate_limited');
  });

  it('credential, api_key_id, scope', async () => {
    const secret = await callers.withScopes('agents:register');
    const wrong = { api_key_id: randomUUID(), operation: 'agent_score' };

    expect(await answerTo(run(null, wrong))).toBe('401 unauthorized');
    expect(await answerTo(run(await callers.revoked(), wrong))).toBe('401 key_revoked');
    expect(await answerTo(run(secret, wrong))).toBe('403 key_mismatch');
    expect(await answerTo(run(secret, { ...wrong, api_key_id: 'no id at all' }))).toBe('403 key_mismatch');
    expect(await answerTo(run(secret))).toBe('403 insufficient_scope');
  });

  it('rate limit of the account, api_key_id', async () => {
    const [one, two] = await callers.twins();
    await answerTo(run(one), 'limited');

    expect(await answerTo(run(two, { api_key_id: randomUUID() }), 'limited')).toBe('429 rate_limited');
  });

  it('scope, idempotency key', async () => {
    const { key } = await callers.account();
    expect(await answerTo(run(key.secret))).toBe('200 result');
    await world.database.query("UPDATE access_key SET scopes = '{lineage:read}' WHERE id = $1", [key.id]);

    expect(await answerTo(run(key.secret))).toBe('403 insufficient_scope');
    expect(await answerTo(run(key.secret, { subject: 'a/b' }))).toBe('403 insufficient_scope');
  });

  it('idempotency key, balance, subject', async () => {
    const secret = await emptyAccount();
    const fresh = { idempotency_key: 'fresh' };

    expect(await answerTo(run(secret))).toBe('200 replay');
    expect(await answerTo(run(secret, { subject: 'nobody/nothing' }))).toBe('422 idempotency_key_reused');
    expect(await answerTo(run(secret, { ...fresh, subject: 'nobody/nothing' }))).toBe(
      '402 insufficient_credits',
    );
    expect(await answerTo(run(secret, { ...fresh, subject: 'x', dry_run: true }))).toBe(
      '402 insufficient_credits',
    );
  });

  it('balance, ambiguous subject', async () => {
    const [secret, name] = [await emptyAccount(), `same-${randomUUID()}`];
    for (let made = 0; made < 2; made++) await makeListing(world.database, { name });

    const ambiguous = { idempotency_key: 'fresh', subject: name };

    expect(await answerTo(run(secret, ambiguous))).toBe('402 insufficient_credits');
    expect(await answerTo(run((await callers.account()).key.secret, ambiguous))).toBe(
      '409 subject_ambiguous',
    );
  });

  it('idempotency key, a subject that has vanished since', async () => {
    const { key } = await callers.account();
    const gone = await makeListing(world.database);
    const call = { subject: gone.repository };
    expect(await answerTo(run(key.secret, call))).toBe('200 result');
    await world.database.query('DELETE FROM subject_alias WHERE subject_id = $1', [gone.subjectId]);

    expect(await answerTo(run(key.secret, call))).toBe('200 replay');
    expect(await answerTo(run(key.secret, { ...call, idempotency_key: 'l' }))).toBe('404 subject_not_found');
  });

  it('a call under way, the balance that it holds', async () => {
    const { key } = await callers.account();
    for (let call = 1; call < 25; call++) await answerTo(run(key.secret, { idempotency_key: randomUUID() }));
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      world.backend.behave((request) => {
        resolve();
        return ended.then(() => usableScore(request));
      });
    });
    const first = answerTo(run(key.secret));
    await asked;

    const repeated = await answerTo(run(key.secret));
    const another = await answerTo(run(key.secret, { idempotency_key: 'l' }));
    end();

    expect([repeated, another]).toEqual(['409 idempotency_in_progress', '402 insufficient_credits']);
    expect(await first).toBe('200 result');
  });

  it('subject, a backend that fails: it is not asked', async () => {
    const secret = (await callers.account()).key.secret;
    world.backend.behave(refuse);
    const asked = world.backend.calls.length;

    expect(await answerTo(run(secret, { subject: 'nobody/nothing' }))).toBe('404 subject_not_found');
    expect(world.backend.calls).toHaveLength(asked);
    expect(await answerTo(run(secret))).toBe('502 scoring_failed');
  });

  it('a dry run looks at everything but the idempotency key', async () => {
    const secret = (await callers.account()).key.secret;
    expect(await answerTo(run(secret))).toBe('200 result');
    const other = await makeListing(world.database);

    expect(await answerTo(run(secret, { dry_run: true, subject: other.repository }))).toBe('200 dry run');
    expect(await answerTo(run(secret, { dry_run: true, subject: 'x' }))).toBe('404 subject_not_found');
  });
});

describe('registration, wrong in two ways, tells the first', () => {
  it.each([
    ['size, content type', () => post(REGISTER, null, asText(TOO_LONG)), '413 payload_too_large'],
    ['size, JSON', () => post(REGISTER, null, asJson(`{${TOO_LONG}`)), '413 payload_too_large'],
    ['content type, JSON', () => post(REGISTER, null, asText('{bad')), '415 unsupported_media_type'],
    ['JSON, credential', () => post(REGISTER, null, asJson('{bad')), '400 invalid_request'],
    ['fields, credential', () => register(null, { category: 'games' }), '400 invalid_request'],
    [
      'unknown parameter, credential',
      () => ({ ...register(null), path: `${REGISTER}?a=1` }),
      '400 invalid_request',
    ],
    [
      'credential, host',
      () => register(null, { repoHostUrl: 'https://git.example/a/b' }),
      '401 unauthorized',
    ],
    ['credential, listed', () => register(null, { repoHostUrl: listed }), '401 unauthorized'],
  ])('%s', async (_name, request, expected) => {
    expect(await answerTo(request())).toBe(expected);
  });

  it('rate limit of the key, size', async () => {
    const secret = (await callers.account()).key.secret;
    await answerTo(register(secret), 'limited');

    expect(await answerTo(register(secret, { name: TOO_LONG }), 'limited')).toBe('429 rate_limited');
  });

  it('credential, scope, listed', async () => {
    const secret = await callers.withScopes('scores:read');
    const wrong = { repoHostUrl: listed, parentId: 'AGT-ZZZZZZZZ' };

    expect(await answerTo(register(await callers.revoked(), wrong))).toBe('401 unauthorized');
    expect(await answerTo(register(secret, wrong))).toBe('403 forbidden');
  });
});
