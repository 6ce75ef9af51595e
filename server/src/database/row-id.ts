const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be a row's id at all; PostgreSQL would answer any other with an error. */
export function isRowId(text: string): boolean {
  return UUID.test(text);
}
