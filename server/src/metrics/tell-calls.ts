import type { Meter } from './meter.ts';

/** Metered calls of one process: under way, and refused so far. */
export type CountedCalls = Readonly<Record<'atWork' | 'scoring' | 'refused', number>>;

/** Tells how many metered calls are under way, and how many there was no room for. */
export function tellCalls(meter: Meter, counts: CountedCalls): void {
  meter.readFrom('trust_directory_metered_calls_under_way', () => [
    { labels: { place: 'at_work' }, value: counts.atWork },
    { labels: { place: 'scoring' }, value: counts.scoring },
  ]);
  meter.readFrom('trust_directory_metered_calls_shed_total', () => [{ labels: {}, value: counts.refused }]);
}
