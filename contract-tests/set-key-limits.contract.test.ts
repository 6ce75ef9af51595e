import { expect, it } from 'vitest';
import { consoleAnswers, refusesForeignPages } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/keys/{id}/limits';
const ANY = '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55';
const LIMITS = { monthly_calls: 100, monthly_credits: null };
const limit = (client: ApiClient, id = ANY, body: object = LIMITS) =>
  client.PUT(PATH, { params: { path: { id } }, body: body as typeof LIMITS });

describeOperation('setKeyLimits', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it.each(['an access key of one’s own', 'a paused key of one’s own'] as const)('to %s', async (state) => {
      const { client, id } = await given(state);

      expect((await limit(client, id)).data).toMatchObject({ id, ...LIMITS });
    });
  });

  answers(400, () => {
    it('to a key that was revoked', async () => {
      const { client, id } = await given('a revoked key of one’s own');

      const { error } = await limit(client, id);

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('revoked') });
    });

    it.each([
      {},
      { monthly_calls: 1 },
      { ...LIMITS, monthly_calls: -1 },
      { ...LIMITS, monthly_credits: 1.5 },
      { ...LIMITS, monthly_calls: '7' },
      { ...LIMITS, daily_calls: 1 },
    ])('to %j', async (body) => {
      const { client, id } = await given('an access key of one’s own');

      expect((await limit(client, id, body)).error).toMatchObject({ error: 'invalid_request', status: 400 });
    });
  });

  answers(403, () => refusesForeignPages(operation, limit));

  answers(404, () => {
    it('to the key of somebody else', async () => {
      const { client, id } = await given('an access key of somebody else');

      expect((await limit(client, id)).error).toMatchObject({ error: 'not_found', status: 404 });
    });
  });

  answers(413, () => {
    it('to a body above 16 KiB', async () => {
      const { client, id } = await given('an access key of one’s own');

      const { error } = await limit(client, id, { note: 'x'.repeat(17_000) });

      expect(error).toMatchObject({ error: 'payload_too_large', status: 413 });
    });
  });

  answers(415, () => {
    it('to a body that is not sent as JSON', async () => {
      const { client, id } = await given('an access key of one’s own');
      const headers = { 'Content-Type': 'text/plain' };

      const { error } = await client.PUT(PATH, { params: { path: { id } }, body: LIMITS, headers });

      expect(error).toMatchObject({ error: 'unsupported_media_type', status: 415 });
    });
  });

  consoleAnswers(operation, limit);
});
