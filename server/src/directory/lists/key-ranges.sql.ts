import type { BindParameters } from '../../platform/database/send-statement.ts';

/** Returns the SQL conditions of one key range: entries that follow one another in a sort index. */
export type KeyRange = (values: BindParameters) => string[];

/** Selects a whole sort index. */
export const EVERYTHING: KeyRange = () => [];
const SCORED: KeyRange = () => ['trust IS NOT NULL'];
const UNSCORED: KeyRange = () => ['trust IS NULL'];

/** Key ranges of the whole list by ascending score: entries without a score come last. */
export const RISING_SCORES: readonly KeyRange[] = [SCORED, UNSCORED];

/** Trust and confidence of a page's last entry; null without a score. */
export type ScoreKeys = readonly [trust: number | null, confidence: number | null];

/**
 * Splits the list by score after an entry into consecutive key ranges of the sort index: entries with the same score,
 * then those with the next scores, then those without a score. A single condition with OR would scan the index from its
 * start.
 */
export function afterScore(
  order: 'rising' | 'falling',
  [trust, confidence]: ScoreKeys,
  agentId: string,
): KeyRange[] {
  const [beyond, later] = order === 'falling' ? (['<', '>'] as const) : (['>', '<'] as const);
  const laterId = (values: BindParameters) => `agent_id ${later} ${values.add(agentId)}`;
  if (trust === null || confidence === null) return [(values) => [...UNSCORED(values), laterId(values)]];
  const score = (values: BindParameters) => `${values.add(trust)}::float8, ${values.add(confidence)}::float8`;
  return [
    (values) => [`(trust, confidence) = (${score(values)})`, laterId(values)],
    (values) => [...SCORED(values), `(trust, confidence) ${beyond} (${score(values)})`],
    UNSCORED,
  ];
}

/** Returns the key ranges after an entry in a descending order by one column, with nulls last. */
export function afterFalling(column: string, type: string, value: unknown, agentId: string): KeyRange[] {
  const unknown: KeyRange = () => [`${column} IS NULL`];
  const laterId = (values: BindParameters) => `agent_id > ${values.add(agentId)}`;
  if (value === null) return [(values) => [...unknown(values), laterId(values)]];
  const last = (values: BindParameters) => `${values.add(value)}::${type}`;
  return [
    (values) => [`${column} = ${last(values)}`, laterId(values)],
    (values) => [`${column} < ${last(values)}`],
    unknown,
  ];
}

/**
 * Returns the key range after an entry in the order by name. If the cursor contains no name, the SQL reads the name by
 * the entry's id.
 */
export function afterName(name: string | null, agentId: string): KeyRange {
  return (values) => {
    const id = values.add(agentId);
    const last = `coalesce(${values.add(name)}, (SELECT lower(name) FROM listing WHERE agent_id = ${id}))`;
    return [`(sort_name, agent_id) > (${last}, ${id})`];
  };
}
