/** A change of an SQL text: position and replacement. */
export interface SqlChange {
  readonly at: number;
  readonly length: number;
  readonly replacement: string;
}

/** Matches the end of a condition: the next one, or the end of its clause or statement. */
const CONDITION_END =
  /\b(AND|OR|GROUP BY|ORDER BY|FOR NO KEY UPDATE|FOR SHARE|RETURNING|LIMIT|UNION|JOIN|LEFT JOIN|THEN|WHERE|DO NOTHING)\b|,\n/i;

/** Replacements that each make a correct statement wrong. */
const REPLACEMENTS: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/ FOR (NO KEY UPDATE|SHARE)( OF \w+(, \w+)*)?/g, () => ''],
  [/(?<=\w) <= (?=[\w$])/g, () => ' < '],
  [/(?<=[\w)]) >= (?=[\w$])/g, () => ' > '],
  [/(?<=[\w)]) > (?=[\w$])/g, () => ' >= '],
  [/(?<=[\w)]) < (?=[\w$])/g, () => ' <= '],
  [/\b(held|used|total) - (?=\w)/g, (found) => found.replace('-', '+')],
  [/\b(held|used|total) \+ (?=\w)/g, (found) => found.replace('+', '-')],
  [/(?<=, )-amount/g, () => 'amount'],
  [/ DESC\b/g, () => ''],
  [/ IS NOT NULL/g, () => ' IS NULL'],
  [/ IS NULL/g, () => ' IS NOT NULL'],
  [/\bNOT EXISTS/g, () => 'EXISTS'],
  [/\n?\s*ON CONFLICT [^\n]* DO NOTHING/g, () => ''],
];

/** Recognizes a text that is a statement or a part of one. */
export function isSql(text: string): boolean {
  return /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE)\b/.test(text) && /[\w$]\s*(=|<|>|\()/.test(text);
}

/**
 * Lists the mutants of a statement, each with one change: a condition dropped, a comparison shifted, or a lock removed.
 */
export function sqlChanges(sql: string): SqlChange[] {
  return [...droppedConditions(sql), ...replaced(sql)];
}

function replaced(sql: string): SqlChange[] {
  return REPLACEMENTS.flatMap(([pattern, change]) =>
    [...sql.matchAll(pattern)].map((found) => ({
      at: found.index,
      length: found[0].length,
      replacement: change(found[0]),
    })),
  );
}

/** Replaces each condition after AND or WHERE by true. */
function droppedConditions(sql: string): SqlChange[] {
  return [...sql.matchAll(/\b(AND|WHERE) /g)].map((found) => {
    const start = found.index + found[0].length;
    const length = conditionLength(sql.slice(start));
    return { at: start, length, replacement: 'true ' };
  });
}

function conditionLength(rest: string): number {
  let depth = 0;
  for (let at = 0; at < rest.length; at++) {
    if (rest[at] === '(') depth += 1;
    if (rest[at] === ')') depth -= 1;
    if (depth < 0) return at;
    // The AND of a BETWEEN does not end the condition.
    if (depth === 0 && at > 0 && CONDITION_END.exec(rest.slice(at))?.index === 0) {
      if (!/\bBETWEEN [^()]*$/.test(rest.slice(0, at)) && !/\w$/.test(rest.slice(0, at))) return at;
    }
  }
  return rest.length;
}
