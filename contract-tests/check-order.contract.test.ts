import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ReceivedAnswer } from './answers/check-answer.ts';
import { openMockOrderWorld } from './check-order/mock-order-world.ts';
import { type About, type Caller, type OrderWorld, sendAs } from './check-order/order-world.ts';
import { openServerOrderWorld } from './check-order/server-order-world.ts';
import { json, type RawRequest } from './targets/server/raw-request.ts';
import { newRegistration } from './targets/server/registration-states.ts';

const RUN = '/api/svc/operations/run';
const REGISTER = '/api/agents/register';
const TOO_LONG = 'x'.repeat(17_000);
/** Default operation and subject of calls that are refused before the subject is looked up. */
const ANY = { operation: 'agent_score', subject: 'any/subject' };

type Body = Record<string, unknown>;

/** Builds a POST whose body is sent unchanged. */
const post = (path: string, content: Partial<RawRequest>): RawRequest => ({
  method: 'POST',
  path,
  ...content,
});
const asJson = (body: string) => ({ body, headers: { 'Content-Type': 'application/json' } });
const asText = (body: string) => ({ body, headers: { 'Content-Type': 'text/plain' } });
const run = (about: About, changes: Body = {}) =>
  post(RUN, json({ ...about, idempotency_key: 'k', ...changes }));
const register = (changes: Body = {}) => post(REGISTER, json({ ...newRegistration(), ...changes }));

function wordOf({ status, body }: ReceivedAnswer): string {
  const { code, error, ok, idempotent, dry_run } = JSON.parse(body) as Record<string, unknown>;
  const word = code ?? (ok === true ? (idempotent ? 'replay' : dry_run ? 'dry run' : 'result') : error);
  return `${status} ${word}`;
}

const answerTo = async (caller: Caller, request: RawRequest) => wordOf(await sendAs(caller, request));

describe.each([
  ['server', openServerOrderWorld],
  ['mock', openMockOrderWorld],
] as const)('on the %s', (_name, open) => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterEach(() => world.restore());
  afterAll(() => world?.stop());

  describe('the metered route, wrong in two ways, tells the first: before the credential', () => {
    it.each([
      ['size, content type', post(RUN, asText(TOO_LONG)), '413 payload_too_large'],
      ['size, JSON', post(RUN, asJson(`{${TOO_LONG}`)), '413 payload_too_large'],
      ['size, fields', run(ANY, { subject: TOO_LONG }), '413 payload_too_large'],
      ['content type, JSON', post(RUN, asText('{bad')), '415 unsupported_media_type'],
      ['content type, credential', post(RUN, asText(JSON.stringify(ANY))), '415 unsupported_media_type'],
      ['JSON, credential', post(RUN, asJson('{bad')), '400 invalid_json'],
      ['fields, credential', run(ANY, { subject: undefined }), '400 invalid_request'],
      ['unknown field, credential', run(ANY, { colour: 'red' }), '400 invalid_request'],
      ['unknown parameter, credential', { ...run(ANY), path: `${RUN}?page=1` }, '400 invalid_request'],
      ['fields, mcp', run(ANY, { channel: 'mcp', subject: undefined }), '400 invalid_request'],
      ['unknown field, mcp', run(ANY, { channel: 'mcp', colour: 'red' }), '400 invalid_request'],
      ['type, channel', run(ANY, { channel: 'web', subject: 7 }), '400 invalid_request'],
      ['fields, operation', run(ANY, { operation: 'x', idempotency_key: undefined }), '400 invalid_request'],
      ['channel, operation', run(ANY, { channel: 'web', operation: 'x' }), '400 invalid_channel'],
      ['mcp, operation', run(ANY, { channel: 'mcp', operation: 'x' }), '501 mcp_not_available'],
      ['mcp, credential', run(ANY, { channel: 'mcp' }), '501 mcp_not_available'],
      ['channel, credential', run(ANY, { channel: 'web' }), '400 invalid_channel'],
      ['operation, credential', run(ANY, { operation: 'x' }), '400 invalid_operation'],
    ])('%s', async (_name, request, expected) => {
      expect(await answerTo(world.nobody, request)).toBe(expected);
    });
  });

  describe('the metered route, wrong in two ways, tells the first: from the credential on', () => {
    it('rate limit of the key, size', async () => {
      const caller = await world.but.outOfRequests(await world.account(), run(world.good));

      expect(await answerTo(caller, run(ANY, { subject: TOO_LONG }))).toBe('429 rate_limited');
    });

    it('credential, api_key_id, scope', async () => {
      const caller = await world.withScope('agents:register');
      const wrong = run(world.good, { api_key_id: randomUUID() });

      expect(await answerTo(world.nobody, wrong)).toBe('401 unauthorized');
      expect(await answerTo(await world.revoked(), wrong)).toBe('401 key_revoked');
      expect(await answerTo(caller, wrong)).toBe('403 key_mismatch');
      expect(await answerTo(caller, run(world.good, { api_key_id: 'no id at all' }))).toBe(
        '403 key_mismatch',
      );
      expect(await answerTo(caller, run(world.good))).toBe('403 insufficient_scope');
    });

    it('rate limit of the account, api_key_id', async () => {
      const caller = await world.but.outOfRequestsByItsTwin();

      expect(await answerTo(caller, run(world.good, { api_key_id: randomUUID() }))).toBe('429 rate_limited');
    });

    it('scope, idempotency key', async () => {
      const caller = await world.account();
      expect(await answerTo(caller, run(world.good))).toBe('200 result');

      const unscoped = await world.but.unscoped(caller);

      expect(await answerTo(unscoped, run(world.good))).toBe('403 insufficient_scope');
      expect(await answerTo(unscoped, run(world.unknown))).toBe('403 insufficient_scope');
    });

    it('idempotency key, balance, subject', async () => {
      const caller = await world.account();
      expect(await answerTo(caller, run(world.good))).toBe('200 result');
      const empty = await world.but.empty(caller);
      const fresh = { idempotency_key: 'fresh' };

      expect(await answerTo(empty, run(world.good))).toBe('200 replay');
      expect(await answerTo(empty, run(world.unknown))).toBe('422 idempotency_key_reused');
      expect(await answerTo(empty, run(world.unknown, fresh))).toBe('402 insufficient_credits');
      expect(await answerTo(empty, run(world.unknown, { ...fresh, dry_run: true }))).toBe(
        '402 insufficient_credits',
      );
    });

    it('idempotency key, limit of the key, balance', async () => {
      const caller = await world.account();
      expect(await answerTo(caller, run(world.good))).toBe('200 result');
      const limited = await world.but.limited(await world.but.empty(caller));
      const fresh = { idempotency_key: 'fresh' };

      expect(await answerTo(limited, run(world.good))).toBe('200 replay');
      expect(await answerTo(limited, run(world.good, fresh))).toBe('402 key_limit_exceeded');
      expect(await answerTo(limited, run(world.unknown, fresh))).toBe('402 key_limit_exceeded');
    });

    it('balance, ambiguous subject', async () => {
      const empty = await world.but.empty(await world.account());

      expect(await answerTo(empty, run(world.ambiguous))).toBe('402 insufficient_credits');
      expect(await answerTo(await world.account(), run(world.ambiguous))).toBe('409 subject_ambiguous');
    });

    it('idempotency key, a subject that has vanished since', async () => {
      const [caller, gone] = [await world.account(), await world.another()];
      expect(await answerTo(caller, run(gone))).toBe('200 result');

      const left = await world.but.without(gone, caller);

      expect(await answerTo(left, run(gone))).toBe('200 replay');
      expect(await answerTo(left, run(gone, { idempotency_key: 'l' }))).toBe('404 subject_not_found');
    });

    it('a call under way, the balance that it holds', async () => {
      const { caller, end } = await world.begin({ ...world.good, idempotency_key: 'k' });

      const repeated = await answerTo(caller, run(world.good));
      const another = await answerTo(caller, run(world.good, { idempotency_key: 'l' }));
      const first = wordOf(await end());

      expect([repeated, another]).toEqual(['409 idempotency_in_progress', '402 insufficient_credits']);
      expect(first).toBe('200 result');
      expect(await answerTo(caller, run(world.good))).toBe('200 replay');
    });

    it('subject, a backend that fails: it is not asked', async () => {
      const caller = await world.but.whileScoringFails(await world.account());
      const asked = world.scored();

      expect(await answerTo(caller, run(world.unknown))).toBe('404 subject_not_found');
      expect(world.scored()).toBe(asked);
      expect(await answerTo(caller, run(world.good))).toBe('502 scoring_failed');
    });

    it('a dry run looks at everything but the idempotency key', async () => {
      const [caller, other] = [await world.account(), await world.another()];
      expect(await answerTo(caller, run(world.good))).toBe('200 result');

      expect(await answerTo(caller, run(other, { dry_run: true }))).toBe('200 dry run');
      expect(await answerTo(caller, run(world.unknown, { dry_run: true }))).toBe('404 subject_not_found');
    });
  });

  describe('registration, wrong in two ways, tells the first', () => {
    it.each([
      ['size, content type', post(REGISTER, asText(TOO_LONG)), '413 payload_too_large'],
      ['size, JSON', post(REGISTER, asJson(`{${TOO_LONG}`)), '413 payload_too_large'],
      ['content type, JSON', post(REGISTER, asText('{bad')), '415 unsupported_media_type'],
      ['JSON, credential', post(REGISTER, asJson('{bad')), '400 invalid_request'],
      ['fields, credential', register({ category: 'games' }), '400 invalid_request'],
      ['unknown parameter, credential', { ...register(), path: `${REGISTER}?a=1` }, '400 invalid_request'],
      ['credential, host', register({ repoHostUrl: 'https://git.example/a/b' }), '401 unauthorized'],
    ])('%s', async (_name, request, expected) => {
      expect(await answerTo(world.nobody, request)).toBe(expected);
    });

    it('credential, listed', async () => {
      expect(await answerTo(world.nobody, register({ repoHostUrl: world.listed }))).toBe('401 unauthorized');
    });

    it('rate limit of the key, size', async () => {
      const caller = await world.but.outOfRequests(await world.account(), register());

      expect(await answerTo(caller, register({ name: TOO_LONG }))).toBe('429 rate_limited');
    });

    it('credential, scope, listed', async () => {
      const wrong = register({ repoHostUrl: world.listed, parentId: 'AGT-ZZZZZZZZ' });

      expect(await answerTo(await world.revoked(), wrong)).toBe('401 unauthorized');
      expect(await answerTo(await world.withScope('scores:read'), wrong)).toBe('403 forbidden');
    });
  });
});
