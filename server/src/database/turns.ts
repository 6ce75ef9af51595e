/** One kind of items among those that share turns. */
export interface Kind {
  /** Ends what others began: where both wait for a lane, it goes before a kind that begins. */
  readonly ends: boolean;
  /** Whether an item of this lane waits and could go. */
  waitsFor(lane: string): boolean;
  /** Told that lanes have become free. */
  wake(): void;
}

/**
 * The turns of kinds of items whose statements lock the same rows: a lane is in one statement at a time, of whatever kind.
 * A second one would only wait for the first one's lock, and keep all that travels with it waiting.
 */
export interface Turns {
  join(kind: Kind): void;
  /** Whether an item of this lane and kind may go now. */
  mayGo(lane: string, kind: Kind): boolean;
  take(lanes: readonly string[]): void;
  free(lanes: readonly string[]): void;
}

/** Turns that nobody has joined yet. */
export function createTurns(): Turns {
  const taken = new Set<string>();
  const kinds: Kind[] = [];
  return {
    join(kind) {
      kinds.push(kind);
    },
    // What ends is never more than what was begun, so that what begins gets its turn too.
    mayGo: (lane, kind) =>
      !taken.has(lane) && (kind.ends || !kinds.some((other) => other.ends && other.waitsFor(lane))),
    take(lanes) {
      for (const lane of lanes) taken.add(lane);
    },
    free(lanes) {
      for (const lane of lanes) taken.delete(lane);
      for (const kind of kinds) kind.wake();
    },
  };
}
