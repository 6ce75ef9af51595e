import { expect, it } from 'vitest';
import {
  consoleAnswers,
  needsRecentSignIn,
  refusesForeignPages,
  refusesOtherBodies,
} from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/keys';
const ANY = '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55';
const BODY = { name: 'nightly job', scopes: ['scores:read', 'lineage:read'] } as const;
const create = (client: ApiClient, body: object = BODY) =>
  client.POST(PATH, { body: body as { replaces_key_id: string } });

describeOperation('createKey', (operation) => {
  const { target, given, answers } = operation;

  answers(201, () => {
    it('with the secret, this once, in an answer that nobody stores', async () => {
      const { client } = await given('a console session');

      const { data, response } = await create(client);

      expect(data?.key).toMatchObject({ ...BODY, state: 'active', last_used_at: null });
      expect(data?.secret).toMatch(/^svc_live_/);
      expect(data?.secret.slice(-4)).toBe(data?.key.last_four);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const { data: listed } = await client.GET(PATH);
      expect(JSON.stringify(listed)).not.toContain(data?.secret);
    });

    it('for a key in the place of another, with its scopes', async () => {
      const { client, id } = await given('an access key of one’s own');

      const { data } = await create(client, { replaces_key_id: id });

      expect(data?.key.id).not.toBe(id);
      // The mock revokes nothing.
      if (target === 'server') {
        expect(data?.key.scopes).toHaveLength(4);
        const { data: listed } = await client.GET(PATH);
        expect(listed?.data.find((key) => key.id === id)?.state).toBe('revoked');
      }
    });
  });

  answers(400, () => {
    it.each([
      ['the reserved scope', { scopes: ['mcp:invoke'] }],
      ['an empty list of scopes', { scopes: [] }],
      ['a scope twice', { scopes: ['scores:read', 'scores:read'] }],
      ['scopes that look like objects of the language', { scopes: [{ valueOf: 1 }, { valueOf: 2 }] }],
      ['a name of spaces', { ...BODY, name: '  ' }],
      ['an expiry that is no moment', { ...BODY, expires_at: 'tomorrow' }],
      ['an id that is none', { replaces_key_id: 'mine' }],
      ['an unknown field', { ...BODY, secret: 'svc_live_mine' }],
    ])('to %s', async (_name, body) => {
      const { client } = await given('a console session');

      expect((await create(client, body)).error).toMatchObject({ error: 'invalid_request', status: 400 });
    });

    it.each([
      ['no scopes', {}],
      ['an expiry in the past', { ...BODY, expires_at: '2020-01-01T00:00:00Z' }],
      ['scopes for a key that inherits them', { ...BODY, replaces_key_id: ANY }],
    ])('to %s', async (_name, body) => {
      const { client } = await given('a key that only the service refuses');

      expect((await create(client, body)).error).toMatchObject({ error: 'invalid_request' });
    });

    it.each(['a revoked key to replace', 'a key of somebody else to replace'] as const)(
      'to %s',
      async (state) => {
        const { client, id } = await given(state);

        const { error } = await create(client, { replaces_key_id: id });

        expect(error).toMatchObject({ message: expect.stringContaining('same account') });
      },
    );
  });

  answers(403, () => {
    refusesForeignPages(operation, create);
    needsRecentSignIn(operation, create);
  });

  answers(409, () => {
    it('where the plan has no slot for one more', async () => {
      const { client } = await given('no slot for one more key');

      expect((await create(client)).error).toMatchObject({ error: 'key_limit_reached', status: 409 });
    });
  });

  refusesOtherBodies(operation, (client, options) => client.POST(PATH, { body: BODY as never, ...options }));
  consoleAnswers(operation, create);
});
