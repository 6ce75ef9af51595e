/** Told of what goes on at a pool by the parts that know. What it does is cheap and never fails. */
export interface DatabaseWatch {
  /** One statement is sent for so many who wait; answers what is told once it has ended. */
  sends(statement: string, many: number): (hasFailed: boolean) => void;
  /** So many holds were given back after their lease. */
  reaped(holds: number): void;
}
