import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMetrics } from './create-metrics.ts';

const START = Date.parse('2026-12-31T23:59:50Z');

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the series of background jobs that the alarms read. */
async function seriesOf(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  const { text } = await metrics.scrape();
  return text.split('\n').filter((line) => /^trust_directory_background_(?:done|rounds)/.test(line));
}

it('a job that has never succeeded shows the time of the start, so that its age raises the alarm', async () => {
  const metrics = createMetrics();
  const run = metrics.jobs('reap', () => Promise.reject(new Error('failed')));

  vi.setSystemTime(START + 60_000);
  await expect(run()).rejects.toThrow('failed');

  expect(await seriesOf(metrics)).toEqual([
    'trust_directory_background_rounds_total{task="reap",result="failed"} 1',
    `trust_directory_background_done_timestamp_seconds{task="reap"} ${START / 1_000}`,
  ]);
});

it('a job shows the time of its last success', async () => {
  const metrics = createMetrics();
  const run = metrics.jobs('reap', async () => 2);

  vi.setSystemTime(START + 60_000);
  expect(await run()).toBe(2);

  expect(await seriesOf(metrics)).toEqual([
    'trust_directory_background_rounds_total{task="reap",result="done"} 1',
    `trust_directory_background_done_timestamp_seconds{task="reap"} ${START / 1_000 + 60}`,
  ]);
});
