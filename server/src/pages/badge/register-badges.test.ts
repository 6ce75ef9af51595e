import Fastify, { type FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Database } from '../../database/connect.ts';
import { keepAnswers } from '../../http/kept-answers/keep-answers.ts';
import { decorateRequests } from '../../http/request-context.ts';
import { createNaming } from '../../subjects/naming.ts';
import { registerPages } from '../register-pages.ts';

it('logs where a badge failed that nobody foresaw, and answers no picture', async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const app = Fastify({ loggerInstance: log as FastifyBaseLogger });
  decorateRequests(app);
  const query = () => Promise.reject(new TypeError('something is not a function'));
  const database = { query } as unknown as Database;
  keepAnswers(app, { memory: null, reads: database });
  await registerPages(app, { reads: database, naming: createNaming('http://127.0.0.1:4000') });

  const { statusCode } = await app.inject('/badge/agent/AGT-7K2MQ9XD.svg');

  expect(statusCode).toBe(500);
  const failure = lines.find((line) => line.includes('request failed'));
  expect(JSON.parse(failure ?? '{}')).toMatchObject({ level: 50, failure: 'TypeError' });
});
