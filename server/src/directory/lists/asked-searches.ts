/** Collects recent searches whose totals are worth storing, because counting their many matches takes long. */
export interface AskedSearches {
  note(search: string, found: number): void;
  /** Returns and clears the collected searches. */
  take(): string[];
}

/**
 * Minimum number of matches of a collected search. Counting so many takes one or two milliseconds, longer than the
 * rest of a page.
 */
const WORTH_KEEPING = 1_000;
const MAX_NOTED = 100;

/** Creates an in-memory collector. Losing it at exit is harmless. */
export function createAskedSearches(): AskedSearches {
  const noted = new Set<string>();
  return {
    note(search, found) {
      if (found >= WORTH_KEEPING && noted.size < MAX_NOTED) noted.add(search);
    },
    take() {
      const taken = [...noted];
      noted.clear();
      return taken;
    },
  };
}
