import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DomainError } from '../errors/domain-error.ts';
import { shedLoad } from './shed-load.ts';

let app: FastifyInstance;
let hooksRun: number;
let lines: { refused: number }[];
const counts = { refused: 0 };

beforeEach(async () => {
  [hooksRun, lines, counts.refused] = [0, [], 0];
  app = Fastify();
  app.log.warn = ((line: { refused: number }) => void lines.push(line)) as never;
  app.addHook('onRequest', (_request, _reply, done) => {
    hooksRun += 1;
    done();
  });
  const require = () => {
    counts.refused += 1;
    throw new DomainError('unavailable', 'Too many calls.', { retryAfterSeconds: 2 });
  };
  shedLoad(app, { require, counts }, ({ message }) => ({ message }));
  app.post('/run', { config: { metered: true } as never }, async () => 'never');
});
afterEach(() => app.close());

it('refuses a plain call before any hook, and one of a page behind the hooks, which set its headers', async () => {
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/run`;

  const plain = await fetch(url, { method: 'POST' });

  expect(plain.status).toBe(503);
  expect(plain.headers.get('retry-after')).toBe('2');
  expect(await plain.json()).toEqual({ message: 'Too many calls.' });
  expect(hooksRun).toBe(0);

  await fetch(url, { method: 'POST', headers: { origin: 'https://page.example' } });
  expect(hooksRun).toBe(1);
});

it('logs one line a second, with the number of refused calls', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    for (let call = 0; call < 3; call += 1) await app.inject({ method: 'POST', url: '/run' });
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(1_000);
  } finally {
    vi.useRealTimers();
  }

  expect(lines).toEqual([{ refused: 3 }]);
});
