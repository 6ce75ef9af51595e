import { lookUpSqlOf } from '../ledger/look-up.condition.ts';
import { type FactsKind, type FactsSql, MOMENT } from '../scoring/facts/facts-kind.ts';
import {
  BEST_SUBJECTS,
  FOUND_IN_ORDER,
  FOUND_IN_REPOSITORY,
  FOUND_SUBJECT,
  SUBJECT_QUESTION,
  TOLD_OF_ITEM,
} from '../subjects/found-subject.condition.ts';

/** Whether the facts of a subject are of use: it is the only one, and its key is not settled. */
const WANTED = "best.subjects = 1 AND p.state IS DISTINCT FROM 'settled'";

/** Reads the note that a subject is due, in the snapshot of its facts: where the note is visible, so is what changed. */
const DUE_NOTE = `(SELECT jsonb_build_object('own', d.own, 'notedAt', utc_text(d.noted_at))
    FROM score_due d WHERE d.subject_id = asked.id) AS due_note`;

/** What is found in the tables by which it is scored: each is read once, and those behind the creator where facts are wanted. */
const foundWithFacts = ({ columns }: FactsSql, behindCreator: string) => ({
  columns: 'found.*, ',
  joins: `LEFT JOIN LATERAL (SELECT ${FOUND_IN_REPOSITORY}, CASE WHEN c.subject_id IS NOT NULL THEN moment.now END AS now, ${DUE_NOTE}, ${columns}
  FROM (SELECT best.subject_id AS id, c.hosts, ${WANTED} AS wanted) asked CROSS JOIN moment JOIN subject s ON s.id = asked.id
    LEFT JOIN artifact a ON a.subject_id = s.id LEFT JOIN listing l ON l.subject_id = coalesce(a.listing_id, s.id)
    LEFT JOIN creator c ON c.subject_id = CASE WHEN asked.wanted THEN l.creator_id END ${behindCreator} OFFSET 0) found ON true`,
});

const foundThenFacts = ({ columns, tables }: FactsSql) => ({
  columns: 'found.*, facts.*, ',
  joins: `LEFT JOIN LATERAL (${FOUND_SUBJECT}) found ON true
LEFT JOIN LATERAL (SELECT moment.now, ${DUE_NOTE}, ${columns}
  FROM (SELECT found.id WHERE ${WANTED}) asked CROSS JOIN moment JOIN subject s ON s.id = asked.id ${tables} OFFSET 0) facts ON true`,
});

/**
 * S0, and of each call that it has a caller for the subjects that its text names, and, where that is one, its facts: as many
 * rows as subjects, or one. A settled key is answered without facts. No two columns have one name.
 */
export function readCallSql(caller: keyof typeof lookUpSqlOf, { sql }: FactsKind<{ id: string }>): string {
  const { columns, joins } = sql.behindCreator ? foundWithFacts(sql, sql.behindCreator) : foundThenFacts(sql);
  return lookUpSqlOf[caller]({
    fields: `, ${SUBJECT_QUESTION}`,
    tables: `, ${BEST_SUBJECTS}, ${MOMENT}`,
    columns,
    joins: `LEFT JOIN best ON ${TOLD_OF_ITEM}
${joins}
ORDER BY c.n, ${FOUND_IN_ORDER}`,
  });
}
