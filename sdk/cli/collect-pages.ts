import type { GivenOptions } from './command.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';
import { countOf, textOf } from './read-command-line.ts';

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
const DEFAULT_LIMIT = 20;

/** Options of a command that prints a list. */
export const LIST_OPTIONS = {
  limit: { value: 'COUNT', means: `how many, ${DEFAULT_LIMIT} by default` },
  cursor: { value: 'CURSOR', means: 'go on where another list ended (its nextCursor)' },
};

/**
 * Reads pages until there are as many items as the options ask for, or no more pages. Returns the first page with the items of
 * all, and the cursor of what comes after them. Throws a CommandError for a cursor that repeats.
 */
export async function collectPages<List extends Page<unknown>>(
  read: (query: PageQuery) => Promise<List>,
  options: GivenOptions,
): Promise<List> {
  const limit = countOf(options, 'limit') ?? DEFAULT_LIMIT;
  const cursor = textOf(options, 'cursor');
  const first = await read({ limit: Math.min(limit, LARGEST_PAGE), ...(cursor !== undefined && { cursor }) });
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
