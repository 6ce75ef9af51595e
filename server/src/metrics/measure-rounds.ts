import type { Meter } from './meter.ts';

/** The same rounds of work, counted by their task. */
export function measureRounds(
  task: string,
  work: () => Promise<number>,
  meter: Meter,
): () => Promise<number> {
  return async () => {
    try {
      const done = await work();
      meter.add('trust_directory_background_rounds_total', { task, result: 'done' });
      meter.add('trust_directory_background_work_total', { task }, Math.max(0, done));
      meter.set('trust_directory_background_done_timestamp_seconds', { task }, Date.now() / 1_000);
      return done;
    } catch (error) {
      meter.add('trust_directory_background_rounds_total', { task, result: 'failed' });
      throw error;
    }
  };
}
