import { expect, it } from 'vitest';
import type { Connection } from '../database/connect.ts';
import type { Meter } from './meter.ts';
import { collectStoredMetrics } from './stored-metrics.queries.ts';

it('reads the database once for all metrics of a scrape, and not again within five seconds', async () => {
  let [now, statements] = [0, 0];
  const reads: (() => unknown)[] = [];
  const meter = { collect: (_name: string, read: () => unknown) => void reads.push(read) };
  const connection = {
    async query() {
      statements += 1;
      return [];
    },
  };
  collectStoredMetrics(meter as unknown as Meter, connection as unknown as Connection, () => now);
  const scrape = () => Promise.allSettled(reads.map((read) => read()));

  await scrape();
  const once = statements;
  now = 4_999;
  await scrape();
  expect(statements).toBe(once);
  now = 5_000;
  await scrape();

  expect(reads.length).toBeGreaterThan(5);
  expect(statements).toBe(2 * once);
});
