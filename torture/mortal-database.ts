import type { Database } from '../server/src/platform/database/connect.ts';

/** A database connection of a process that may die: after its death it sends no statement and receives no answer. */
export interface MortalDatabase {
  readonly database: Database;
  /** Dies now: pending work never completes. */
  die(): void;
  /** Dies after the next statement has taken effect, before its answer arrives. */
  dieUnheard(): void;
  /** Resolves when the connection has died. */
  readonly death: Promise<void>;
}

/** Wraps a database so that a call can be abandoned midway, as by a killed process, without killing this one. */
export function mortal(database: Database): MortalDatabase {
  let state: 'alive' | 'dying' | 'dead' = 'alive';
  let tellDeath: () => void;
  const death = new Promise<void>((resolve) => {
    tellDeath = resolve;
  });
  const die = () => {
    state = 'dead';
    tellDeath();
  };
  const never = () => new Promise<never>(() => undefined);
  const query: Database['query'] = async (sql, bind) => {
    if (state === 'dead') return never();
    const dying = state === 'dying';
    const rows = await database.query(sql, bind);
    if (dying) die();
    return state === 'alive' ? (rows as never) : never();
  };
  return {
    database: { ...database, query },
    die,
    dieUnheard: () => {
      state = 'dying';
    },
    death,
  };
}
