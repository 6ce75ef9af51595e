/** Observer of a pool's statements and holds, for metrics and traces. Its methods are cheap and never throw. */
export interface DatabaseObserver {
  /** Called when an item is queued for a batch. The value that it returns is passed to `onSend`. */
  onQueued?(): unknown;
  /**
   * Called when a batch is sent, with the values that `onQueued` returned for its items. Returns a function that is
   * called when the statement ends.
   */
  onSend(statement: string, askers: readonly unknown[]): (hasFailed: boolean) => void;
  /** Called with the number of expired holds that were released. */
  onHoldsReleased?(holds: number): void;
}

/** Combines two observers. Of `onQueued`, only that of the second one is called. */
export function combineObservers(
  one: DatabaseObserver | undefined,
  other: DatabaseObserver | undefined,
): DatabaseObserver | undefined {
  if (!one || !other) return one ?? other;
  return {
    onQueued: () => other.onQueued?.(),
    onSend(statement, askers) {
      const ended = [one.onSend(statement, askers), other.onSend(statement, askers)];
      return (hasFailed) => {
        for (const tell of ended) tell(hasFailed);
      };
    },
    onHoldsReleased(holds) {
      one.onHoldsReleased?.(holds);
      other.onHoldsReleased?.(holds);
    },
  };
}
