/** Told of what goes on at a pool by the parts that know. What it does is cheap and never fails. */
export interface DatabaseWatch {
  /** Somebody wants something sent with others; what it answers goes along to `sends`. */
  asks?(): unknown;
  /** One statement is sent for all who asked; answers what is told once it has ended. */
  sends(statement: string, askers: readonly unknown[]): (hasFailed: boolean) => void;
  /** So many holds were given back after their lease. */
  reaped?(holds: number): void;
}

/** Both are told; what asks are answered is the second one's word. */
export function bothWatch(
  one: DatabaseWatch | undefined,
  other: DatabaseWatch | undefined,
): DatabaseWatch | undefined {
  if (!one || !other) return one ?? other;
  return {
    asks: () => other.asks?.(),
    sends(statement, askers) {
      const ended = [one.sends(statement, askers), other.sends(statement, askers)];
      return (hasFailed) => {
        for (const tell of ended) tell(hasFailed);
      };
    },
    reaped(holds) {
      one.reaped?.(holds);
      other.reaped?.(holds);
    },
  };
}
