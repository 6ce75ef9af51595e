import { col, fn, literal, Op, Transaction, type Utils, type WhereOperators, where } from 'sequelize';

type Fn = Utils.Fn;
type Literal = Utils.Literal;

/**
 * What the database makes itself. It is text of the statement, and a write's text is kept by every session under a name, of
 * which there are only so many: so no expression in a write holds a value that varies. Columns hold those, and are bound.
 */
export type Expression = Fn | Utils.Col | Literal;

/** A column as a repository reads it, and its name in the row. */
export type NamedColumn = [string | Fn | Literal, string];

/** Now, by the database's clock, which tests can set. */
export const NOW = fn('ledger_now');

/** So long from now, such as `fromNow('12 hours')`. */
export function fromNow(interval: string): Literal {
  return literal(`ledger_now() + interval '${interval}'`);
}

/** True of a column that has a value. */
export const PRESENT: WhereOperators = { [Op.ne]: null };

/** True of a moment that is over. */
export const PAST: WhereOperators = { [Op.lte]: NOW };

/** True of a moment that lies ahead. */
export const AHEAD: WhereOperators = { [Op.gt]: NOW };

/** `utcText('created_at', 'createdAt')`: a moment with its microseconds, which a Date would lose. */
export function utcText(column: string, name: string): NamedColumn {
  return [fn('utc_text', col(column)), name];
}

/** The column where it has a value, else the other one. */
export function keep(column: string, otherwise: Expression): Fn {
  return fn('coalesce', col(column), otherwise);
}

/** True where the column says the same as the text, whatever the case of both. For reads and DELETE, which no session keeps. */
export function sameName(column: string, text: string): Utils.Where {
  return where(fn('lower', col(column)), fn('lower', text));
}

/** True where what SQL makes of a row is this text. For reads. */
export function says(made: string, text: string): Utils.Where {
  return where(literal(made), text);
}

/** A condition of SQL, or a column made by it. Never with a caller's value inside. */
export const sql = literal;
/** Every one of these; older than; other than. */
export const { and: ALL, lt: LESS, ne: NOT } = Op;

/** Locks a row against every change but those of rows that point at it. */
export const FOR_NO_KEY_UPDATE = Transaction.LOCK.NO_KEY_UPDATE;
