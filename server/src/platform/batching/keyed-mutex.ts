/** Kind of items that share the mutex. */
export interface MutexUser {
  /** True for a kind that ends runs. It takes precedence over kinds that open runs. */
  readonly isTerminal: boolean;
  /** Returns true if an item of this partition waits and may be sent. */
  hasWaiting(partition: string): boolean;
  /** Called when partitions are released. */
  onRelease(): void;
}

/**
 * Mutex by partition key, shared by kinds whose statements lock the same rows. A partition is in one statement at a
 * time, whatever the kind. A second statement would only wait for the row locks of the first, and so delay all items
 * of its batch.
 */
export interface KeyedMutex {
  register(kind: MutexUser): void;
  /** Returns true if an item of this partition and kind may be sent now. */
  canAcquire(partition: string, kind: MutexUser): boolean;
  acquire(partitions: readonly string[]): void;
  release(partitions: readonly string[]): void;
}

/** Creates a mutex without kinds. Without the mutex or its precedence, `batcher-mutex.test.ts` fails. */
export function createKeyedMutex(): KeyedMutex {
  const held = new Set<string>();
  const kinds: MutexUser[] = [];
  return {
    register(kind) {
      kinds.push(kind);
    },
    // This precedence cannot starve the kinds that open runs, because there are never more runs to end than were
    // opened.
    canAcquire: (partition, kind) =>
      !held.has(partition) &&
      (kind.isTerminal || !kinds.some((other) => other.isTerminal && other.hasWaiting(partition))),
    acquire(partitions) {
      for (const partition of partitions) held.add(partition);
    },
    release(partitions) {
      for (const partition of partitions) held.delete(partition);
      for (const kind of kinds) kind.onRelease();
    },
  };
}
