import type { AnswerMemory } from '../http/kept-answers/answer-memory.ts';
import type { Meter } from './meter.ts';

/** Tells how the kept answers fare, and when they were last all forgotten over one change. */
export function tellCaches(meter: Meter, memory: AnswerMemory | null): void {
  if (memory === null) return;
  const cache = 'answers';
  meter.readFrom('trust_directory_cache_lookups_total', () => {
    const { hits, misses } = memory.counts;
    return [
      { labels: { cache, result: 'hit' }, value: hits },
      { labels: { cache, result: 'miss' }, value: misses },
    ];
  });
  meter.readFrom('trust_directory_cache_entries', () => [
    { labels: { cache }, value: memory.counts.entries },
  ]);
  meter.readFrom('trust_directory_cache_bytes', () => [{ labels: { cache }, value: memory.bytes }]);
  meter.readFrom('trust_directory_cache_trusted', () => [
    { labels: { cache }, value: memory.isTrusted ? 1 : 0 },
  ]);
  meter.readFrom('trust_directory_directory_replaced_timestamp_seconds', () => {
    const { replacedAt } = memory.counts;
    const value = replacedAt === null ? 0 : (performance.timeOrigin + replacedAt) / 1_000;
    return [{ labels: {}, value }];
  });
}
