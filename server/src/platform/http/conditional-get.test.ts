import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { useConditionalGet } from './conditional-get.ts';

it('hashes constant content once, however often it is sent', async () => {
  const hashed: string[] = [];
  const app = Fastify();
  useConditionalGet(app, 0, (content) => {
    hashed.push(String(content));
    return `W/"${content}"`;
  });
  const fixed = Buffer.from('fixed');
  const options = { config: { public: true } };
  app.get('/fixed', options, async (_request, reply) => reply.send(fixed));
  app.get('/made', options, async (_request, reply) => reply.type('text/plain').send('made'));

  for (const url of ['/fixed', '/made', '/fixed', '/made']) {
    expect((await app.inject(url)).headers.etag).toBe(`W/"${url.slice(1)}"`);
  }
  const known = await app.inject({ url: '/fixed', headers: { 'if-none-match': 'W/"fixed"' } });
  await app.close();

  expect(known.statusCode).toBe(304);
  expect(hashed).toEqual(['fixed', 'made', 'made']);
});
