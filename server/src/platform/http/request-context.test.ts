import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { setCommonHeaders } from './request-context.ts';

async function headersOf(site: string, path: string) {
  const app = Fastify();
  setCommonHeaders(app, new URL(site));
  app.get('/', async () => ({}));
  const { headers } = await app.inject(path);
  await app.close();
  return headers;
}

it.each(['/', '/nothing'])(
  'every answer (%s) bars the guessing of types, and names its request',
  async (path) => {
    expect(await headersOf('http://127.0.0.1:4000', path)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/./),
    });
  },
);

it('promises https only where the site has it', async () => {
  const name = 'strict-transport-security';
  expect((await headersOf('http://127.0.0.1:4000', '/'))[name]).toBeUndefined();
  expect((await headersOf('https://directory.example', '/'))[name]).toBe(
    'max-age=31536000; includeSubDomains',
  );
});
