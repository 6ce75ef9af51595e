const TOKEN_SHAPE = /^[\w-]{43}$/;

/** Whether a cookie's text can be a session's token at all, without the database. */
export function isWellFormedToken(text: string): boolean {
  return TOKEN_SHAPE.test(text);
}
