/**
 * SQL of a batch's rows: `n` is an item's place, the other columns are its fields by their names. `$1` is `batchJson`.
 *
 * PostgreSQL takes a hundred rows for granted here and would rather read whole tables. A range of `n` that holds all of
 * them makes it reckon with one, so that it looks every row up in an index; nor does it see how many there are, which
 * would make it plan every batch anew.
 */
export function batchRows(columns: string): string {
  return `SELECT * FROM jsonb_to_recordset($1::jsonb) AS c(n int, ${columns}) WHERE c.n BETWEEN 0 AND 9999`;
}

/** The items of a batch as `$1`, each with its place. What text in PostgreSQL cannot hold is replaced, as in other values. */
export function batchJson(items: readonly object[]): string {
  const json = `[${items.map(withPlace).join(',')}]`;
  if (!json.includes('\\u0000') && !json.includes('\\ud')) return json;
  return JSON.stringify(
    JSON.parse(json, (_, value) => (typeof value === 'string' ? fitForText(value) : value)),
  );
}

/** The place is put before the item's own text: a copy of the item with it costs as much as all of its text. */
function withPlace(item: object, n: number): string {
  const fields = JSON.stringify(item).slice(1);
  return fields === '}' ? `{"n":${n}}` : `{"n":${n},${fields}`;
}

/** Bytes as a column of a batch has them. */
export function batchBytes(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

function fitForText(value: string): string {
  return value.replaceAll('\0', '\\0').replace(LONE_SURROGATE, '\ufffd');
}

const LONE_SURROGATE = /\p{Surrogate}/gu;
