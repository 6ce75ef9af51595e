import Fastify, { type FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { decorateRequests } from '../../../platform/http/request-context.ts';
import { responseCache } from '../../../platform/http/response-cache/response-cache-plugin.ts';
import { registerPages } from '../register-pages.ts';

it('logs an unexpected failure of a badge, and returns no picture', async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const app = Fastify({ loggerInstance: log as FastifyBaseLogger });
  decorateRequests(app);
  const query = () => Promise.reject(new TypeError('something is not a function'));
  const database = { query } as unknown as Database;
  responseCache(app, { cache: null, reads: database });
  await registerPages(app, { reads: database, publicUrls: createPublicUrls('http://127.0.0.1:4000') });

  const { statusCode } = await app.inject('/badge/agent/AGT-7K2MQ9XD.svg');

  expect(statusCode).toBe(500);
  const failure = lines.find((line) => line.includes('request failed'));
  expect(JSON.parse(failure ?? '{}')).toMatchObject({ level: 50, failure: 'TypeError' });
});
