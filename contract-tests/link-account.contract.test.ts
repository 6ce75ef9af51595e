import { expect, it } from 'vitest';
import { consoleAnswers, needsRecentSignIn, refusesForeignPages } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/linked-accounts';
const BODY = { kind: 'repo_host', host: 'github.com', handle: 'example-labs' } as const;
const link = (client: ApiClient) => client.POST(PATH, { body: BODY });
/** Sends the body as plain text instead of JSON. */
const asText = { headers: { 'Content-Type': 'text/plain' }, bodySerializer: JSON.stringify };

describeOperation('linkAccount', (operation) => {
  const { given, answers } = operation;

  answers(201, () => {
    it('with a code, and where to publish it', async () => {
      const { client } = await given('a console session');

      const { data } = await link(client);

      expect(data).toMatchObject({ ...BODY, state: 'pending', provedAt: null, checkedAt: null });
      expect(data?.code).toMatch(/^trust-directory-[0-9a-z]{20}$/);
      expect(data?.instructions).toContain('trust-directory.txt');
    });
  });

  answers(400, () => {
    it.each([
      ['without a handle', { handle: undefined }],
      ['with a handle of two words', { handle: 'example labs' }],
      ['with a handle of 201 characters', { handle: 'a'.repeat(201) }],
      ['with an unknown kind', { kind: 'website' }],
      ['with an address for a host', { host: 'https://github.com' }],
      ['with an unknown field', { code: 'mine' }],
    ])('to a body %s', async (_name, changes) => {
      const { client } = await given('a console session');

      const { error } = await client.POST(PATH, { body: { ...BODY, ...changes } as never });

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });

    it('to an account that nobody can read', async () => {
      const { client } = await given('a host that cannot be read');

      const { error } = await client.POST(PATH, {
        body: { kind: 'professional_network', host: 'linkedin.com', handle: 'example-labs' },
      });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('operator') });
    });
  });

  answers(403, () => {
    refusesForeignPages(operation, link);
    needsRecentSignIn(operation, link);
  });

  answers(413, () => {
    it('to a body over 16 KiB', async () => {
      const { client } = await given('a console session');

      const { error } = await client.POST(PATH, { body: { ...BODY, handle: 'h'.repeat(17_000) } });

      expect(error).toMatchObject({ error: 'payload_too_large' });
    });
  });

  answers(415, () => {
    it('to a body that is not sent as JSON', async () => {
      const { client } = await given('a console session');

      const { error } = await client.POST(PATH, { body: BODY, ...asText });

      expect(error).toMatchObject({ error: 'unsupported_media_type' });
    });
  });

  consoleAnswers(operation, link);
});
