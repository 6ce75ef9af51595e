/** Searches that had to be counted lately and found so many listings that their totals are worth keeping. */
export interface AskedSearches {
  note(search: string, found: number): void;
  /** Those noted since the last time, at most so many. */
  take(): string[];
}

/** From here on a count takes longer than the rest of a page: a millisecond or two. */
const WORTH_KEEPING = 1_000;
const MOST_NOTED = 100;

/** Remembers them in memory: a process that ends forgets what will be asked again. */
export function createAskedSearches(): AskedSearches {
  const noted = new Set<string>();
  return {
    note(search, found) {
      if (found >= WORTH_KEEPING && noted.size < MOST_NOTED) noted.add(search);
    },
    take() {
      const taken = [...noted];
      noted.clear();
      return taken;
    },
  };
}
