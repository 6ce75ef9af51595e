import type { ParsedOptions } from './command.ts';
import { CommandError, EXIT } from './exit-code.ts';
import { countOption, textOption } from './read-command-line.ts';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor?: string | null;
}

/** Query of one page. */
interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** Maximum page size of the service. */
const LARGEST_PAGE = 100;
const DEFAULT_LIMIT = 20;

/** Options of a command that prints a list. */
export const LIST_OPTIONS = {
  limit: { value: 'COUNT', description: `maximum number of items, ${DEFAULT_LIMIT} by default` },
  cursor: { value: 'CURSOR', description: 'continue after another list: its nextCursor' },
};

/**
 * Reads pages until `--limit` is reached or the list ends. Returns the first page, with the items of all read pages and
 * the cursor of the page after them. Throws a CommandError if a cursor repeats.
 */
export async function collectPages<List extends Page<unknown>>(
  read: (query: PageQuery) => Promise<List>,
  options: ParsedOptions,
): Promise<List> {
  const limit = countOption(options, 'limit') ?? DEFAULT_LIMIT;
  const cursor = textOption(options, 'cursor');
  const first = await read({ limit: Math.min(limit, LARGEST_PAGE), ...(cursor !== undefined && { cursor }) });
  const data = [...first.data];
  const seen = new Set<string>();
  let next = first.nextCursor ?? null;
  while (next !== null && data.length < limit) {
    if (seen.has(next)) {
      throw new CommandError(
        EXIT.failure,
        `The service returned the cursor ${next} twice, so the list would never end.`,
      );
    }
    seen.add(next);
    const page = await read({ limit: Math.min(limit - data.length, LARGEST_PAGE), cursor: next });
    data.push(...page.data);
    next = page.nextCursor ?? null;
  }
  return { ...first, data, nextCursor: next };
}
