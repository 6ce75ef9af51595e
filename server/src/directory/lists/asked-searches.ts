/** Collects recent searches with so many matches that their totals are worth storing. */
export interface AskedSearches {
  note(search: string, found: number): void;
  /** Returns and clears the collected searches. */
  take(): string[];
}

/** Minimum number of matches for which counting takes longer than the rest of a page: one or two milliseconds. */
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
