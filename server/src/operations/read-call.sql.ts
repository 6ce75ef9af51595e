import { lookUpSqlOf } from '../ledger/look-up.condition.ts';
import { type FactsKind, MOMENT } from '../scoring/facts/facts-kind.ts';
import {
  BEST_SUBJECTS,
  FOUND_IN_ORDER,
  FOUND_SUBJECT,
  SUBJECT_QUESTION,
  TOLD_OF_ITEM,
} from '../subjects/found-subject.condition.ts';

/**
 * S0, and of each call that it has a caller for the subjects that its text names, and, where that is one, its facts: as many
 * rows as subjects, or one. A settled key is answered without facts. Of columns of one name the last counts, which is there
 * where the others are.
 */
export const readCallSql = (caller: keyof typeof lookUpSqlOf, { sql }: FactsKind<{ id: string }>) =>
  lookUpSqlOf[caller]({
    fields: `, ${SUBJECT_QUESTION}`,
    tables: `, ${BEST_SUBJECTS}, ${MOMENT}`,
    columns: 'facts.*, found.*, ',
    joins: `LEFT JOIN best ON ${TOLD_OF_ITEM}
LEFT JOIN LATERAL (${FOUND_SUBJECT}) found ON true
LEFT JOIN LATERAL (WITH asked AS (SELECT found.id WHERE best.subjects = 1 AND p.state IS DISTINCT FROM 'settled') ${sql}
  OFFSET 0) facts ON true
ORDER BY c.n, ${FOUND_IN_ORDER}`,
  });
