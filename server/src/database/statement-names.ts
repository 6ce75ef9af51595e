import { createHash } from 'node:crypto';

/** Sessions keep the plan of every name for as long as they live, so there are only so many. */
const MOST_NAMES = 300;
/**
 * Stands before a statement whose good plan depends on its values (the words of a search, a filter that may be null). A
 * kept one is planned without looking at them, once PostgreSQL takes that for no worse.
 */
export const PLANNED_ANEW = '/* planned anew */';
/**
 * Stands before a statement of a batch that fills tables, which keeps a plan of its own: where the same statement is sent
 * elsewhere, it is planned for tables that are full.
 */
export const PLANNED_BY_INDEX = '/* planned by index */';
/** What PostgreSQL plans; anything else is not the quicker for a name. */
const PLANNED = /^\s*(SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|VALUES)\b/i;

/** The names under which the sessions of one pool keep their statements, so that each is parsed and planned once. */
export interface StatementNames {
  /** The name of a statement; null for one that is sent without: it takes no values, asks for it, or there are too many. */
  nameOf(text: unknown, values: unknown): string | null;
}

/** Names from the text alone, so that they are the same in every process. The first texts get one, up to `most`. */
export function createStatementNames(most = MOST_NAMES): StatementNames {
  const names = new Map<string, string>();
  return {
    nameOf(text, values) {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return null;
      const known = names.get(text);
      if (known) return known;
      if (names.size >= most || !PLANNED.test(text.replace(PLANNED_BY_INDEX, ''))) return null;
      const name = `td_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
      names.set(text, name);
      return name;
    },
  };
}
