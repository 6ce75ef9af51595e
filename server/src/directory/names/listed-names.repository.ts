import type { Connection } from '../../database/connect.ts';
import { PLANNED_ANEW } from '../../database/statement-names.ts';
import { MOST_POPULAR, type Named, nearNames, orderOf, popularNames, SHOWN } from './listed-names.sql.ts';

/** A subject that a name leads to. */
export interface NamedSubject {
  id: string;
  type: 'agent' | 'skill' | 'creator';
  /** As it is shown. */
  name: string;
  /** The repository of a listing or artifact, `host:handle` of a creator. */
  about: string;
}

const CANDIDATES = `
near AS MATERIALIZED (${nearNames('$1', '$2')}),
popular AS MATERIALIZED (SELECT subject_id, weight, CASE WHEN key ^@ $2 THEN 1 ELSE 2 END AS class
  FROM (${popularNames('$1', 'subject_id, weight, key, words')}) AS top WHERE key ^@ $2 OR words @@ $3::tsquery),
-- Rare among the popular, a word is rare at all.
worded AS MATERIALIZED (SELECT subject_id, weight, 2 AS class FROM listed_name
  WHERE (SELECT count(*) FROM popular) < $4 AND of = $1 AND words @@ $3::tsquery LIMIT ${MOST_POPULAR}),
best AS MATERIALIZED (SELECT subject_id, min(class) AS class, max(weight) AS weight
  FROM (TABLE near UNION ALL TABLE popular UNION ALL TABLE worded) AS each
  GROUP BY subject_id ORDER BY class, weight DESC, subject_id LIMIT 5 * $4)`;

/**
 * Those whose name is this text, then whose name begins so, then whose names have all the words; among equals the popular
 * first. `key` is a name as `nameKey` makes it. Bounded, however many there are.
 */
export function findNames(
  connection: Connection,
  of: Named,
  { key, words, most }: { key: string; words: string; most: number },
): Promise<NamedSubject[]> {
  const shown = SHOWN[of];
  return connection.query<NamedSubject>(
    `${PLANNED_ANEW} WITH ${CANDIDATES}
     SELECT best.subject_id AS id, ${shown.type} AS type, ${shown.name} AS name, ${shown.about} AS about
     FROM ${shown.from} ORDER BY ${orderOf(shown)} LIMIT $4`,
    [of, key, words, most],
  );
}
