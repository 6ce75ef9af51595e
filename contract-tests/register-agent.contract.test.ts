import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';

const PATH = '/api/agents/register';
const ANY_BODY = {
  repoHostUrl: 'https://github.com/example-labs/changelog-agent',
  name: 'Changelog Agent',
  description: 'Reads merged pull requests and drafts release notes.',
  category: 'coding',
} as const;
/** Sends the body as plain text instead of JSON. */
const asText = { headers: { 'Content-Type': 'text/plain' }, bodySerializer: JSON.stringify };

describeOperation('registerAgent', ({ given, answers }) => {
  answers(200, () => {
    it('with the id that it had, where the proved owner registers what is listed without naming its type', async () => {
      const { client, body } = await given('a listed repository of the proved owner');

      const { data } = await client.POST(PATH, { body });

      expect(data).toMatchObject({ id: expect.stringMatching(/^AGT-/), listingUrl: expect.any(String) });
    });
  });

  answers(201, () => {
    it('with the id, the public page and where the record can be read', async () => {
      const { client, body } = await given('an account that may register');

      const { data, response } = await client.POST(PATH, { body });

      const repository = new URL(body.repoHostUrl).pathname;
      expect(data?.listingUrl).toBe(`https://trust.example${repository}`);
      expect(response.headers.get('location')).toBe(`/api/agents/${data?.id}`);
    });

    it('with the same id, where it has worked before under its key', async () => {
      const { client, body, id } = await given('a registration that has worked under its key');

      const { data, response } = await client.POST(PATH, { body });

      expect(data?.id).toBe(id);
      expect(response.headers.get('location')).toBe(`/api/agents/${id}`);
    });

    it('in a console session too', async () => {
      const { client, body } = await given('a registration in a console session');

      const { data } = await client.POST(PATH, { body });

      expect(data?.id).toMatch(/^AGT-/);
    });
  });

  answers(400, () => {
    it.each([
      ['without its repository', { repoHostUrl: undefined }],
      ['with a description beyond 280 characters', { description: 'd'.repeat(281) }],
      ['with an unknown category', { category: 'games' }],
      ['with nine tags', { tags: Array(9).fill('tag') }],
      ['with an unknown field', { licence: 'MIT' }],
      ['with a malformed parent', { parentId: 'gemini-cli' }],
      ['with a space in its key', { idempotency_key: 'release 1' }],
      ['with a key of 256 characters', { idempotency_key: 'k'.repeat(256) }],
    ])('to a body %s', async (_name, changes) => {
      const { client, body } = await given('an account that may register');

      const { error } = await client.POST(PATH, { body: { ...body, ...changes } as never });

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });

    it.each([
      ['a repository on a host that is not allowed', 'repoHostUrl'],
      ['a parent that nobody listed', 'parentId'],
    ] as const)('to %s', async (state, field) => {
      const { client, body } = await given(state);

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining(field) });
    });
  });

  answers(401, () => {
    it.each([
      ['a registration without a credential', 'An access key is required'],
      ['a registration with an unknown key', 'malformed or unknown'],
      ['a registration with an expired key', 'expired'],
      ['a registration with a revoked key', 'revoked'],
      ['a registration with a paused key', 'paused'],
    ] as const)('to %s', async (state, sentence) => {
      const { client, body } = await given(state);

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ error: 'unauthorized', message: expect.stringContaining(sentence) });
    });
  });

  answers(403, () => {
    it('to a key without the scope', async () => {
      const { client, body } = await given('a registration without the scope');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({
        error: 'forbidden',
        message: expect.stringContaining('agents:register'),
      });
    });

    it('to a session from another site', async () => {
      const { client, body } = await given('a registration in a session from another site');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ error: 'csrf_failed' });
    });
  });

  answers(409, () => {
    it('where the repository is listed already', async () => {
      const { client, body } = await given('a repository that is registered');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ error: 'already_registered', message: expect.stringContaining('AGT-') });
    });
  });

  answers(410, () => {
    it('that says why, where the operator has delisted the repository', async () => {
      const { client, body } = await given('a repository that was delisted');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({
        error: 'gone',
        message: expect.stringContaining('operator'),
        status: 410,
      });
    });
  });

  answers(413, () => {
    it('to a body over 16 KiB', async () => {
      const { client, body } = await given('an account that may register');

      const { error } = await client.POST(PATH, { body: { ...body, description: 'd'.repeat(17_000) } });

      expect(error).toMatchObject({ error: 'payload_too_large', status: 413 });
    });
  });

  answers(415, () => {
    it('to a body that is not sent as JSON', async () => {
      const { client, body } = await given('an account that may register');

      const { error } = await client.POST(PATH, { body, ...asText });

      expect(error).toMatchObject({ error: 'unsupported_media_type', status: 415 });
    });
  });

  answers(422, () => {
    it('where the key belongs to a registration with another body', async () => {
      const { client, body } = await given('a key of another registration');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({
        error: 'idempotency_key_reused',
        message: expect.stringContaining('idempotency_key'),
        status: 422,
      });
    });
  });

  answers(429, () => {
    it('with the seconds to wait', async () => {
      const { client, body } = await given('a registration with a key out of requests');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ error: 'rate_limited', status: 429 });
    });
  });

  answers(500, () => {
    it('that tells nothing of the fault', async () => {
      const { client } = await given('an unforeseen fault');

      const { error } = await client.POST(PATH, { body: ANY_BODY });

      expect(error).toMatchObject({ error: 'internal_error', status: 500 });
    });
  });

  answers(503, () => {
    it('where the database is away', async () => {
      const { client } = await given('a database that is away');

      const { error } = await client.POST(PATH, { body: ANY_BODY });

      expect(error).toMatchObject({ error: 'unavailable', status: 503 });
    });
  });
});
