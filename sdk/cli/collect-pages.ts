import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor?: string | null;
}

/** What one page is asked for with. */
interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** As many as the service gives at once. */
const LARGEST_PAGE = 100;

/**
 * Reads pages until there are so many items, or no more. Answers the first page with the items of all, and the cursor of
 * what comes after them. Throws a CommandError for a cursor that repeats.
 */
export async function collectPages<List extends Page<unknown>>(
  read: (query: PageQuery) => Promise<List>,
  limit: number,
  startCursor?: string,
): Promise<List> {
  const first = await read({
    limit: Math.min(limit, LARGEST_PAGE),
    ...(startCursor !== undefined && { cursor: startCursor }),
  });
  const data = [...first.data];
  const seen = new Set<string>();
  let next = first.nextCursor ?? null;
  while (next !== null && data.length < limit) {
    if (seen.has(next)) {
      throw new CommandError(
        EXIT.failure,
        `The service gave the cursor ${next} twice: the list would never end.`,
      );
    }
    seen.add(next);
    const page = await read({ limit: Math.min(limit - data.length, LARGEST_PAGE), cursor: next });
    data.push(...page.data);
    next = page.nextCursor ?? null;
  }
  return { ...first, data, nextCursor: next };
}
