/** Collects the parameters of a statement, so that its text contains only `$1`, `$2`, …. */
export class BindParameters {
  readonly list: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/** Builds a WHERE clause. */
export function whereClause(all: readonly string[]): string {
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}
