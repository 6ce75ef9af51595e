import type { Database } from './connect.ts';

// By pages, which are what a plan is reckoned from, and which a table that is only updated stops adding. Only an owner may
// analyze; an analyzed table that holds nothing counts as one without pages.
const GROWN = `
SELECT format('%I.%I', n.nspname, c.relname) AS name
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind = 'r' AND pg_has_role(c.relowner, 'USAGE')
  AND pg_relation_size(c.oid) / current_setting('block_size')::int BETWEEN 2 * c.relpages + $1 AND $2
ORDER BY c.oid`;

/** What grows by less is read in no time by any plan. */
const FEW_PAGES = 4;
/** What is larger does not double within the minute in which PostgreSQL sees to it. */
const MOST_PAGES = 20_000;

/**
 * Looks anew at the tables that have more than doubled since PostgreSQL last looked; answers how many. The sessions' kept
 * statements are then planned anew too. PostgreSQL does the same by itself, but up to a minute later: until then a plan
 * made for an empty table reads all runs of an account to find one.
 */
export async function refreshStatistics(database: Database): Promise<number> {
  const grown = await database.query<{ name: string }>(GROWN, [FEW_PAGES, MOST_PAGES]);
  for (const { name } of grown) await database.query(`ANALYZE ${name}`);
  return grown.length;
}
