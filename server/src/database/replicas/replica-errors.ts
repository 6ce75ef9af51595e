import { errorCode } from '../database-errors.ts';

/** Ended for the sake of the replay, or for its time: nothing is wrong with the server. */
const CANCELLED = /^(40001|40P01|57014)$/;

/** Whether the statement alone failed. */
export const isCancelled = (error: unknown): boolean => CANCELLED.test(errorCode(error)?.code ?? '');

/** A pooler stands before the server. */
export class NotOurs extends Error {
  override readonly name = 'BehindPooler';
}

/** It takes writes itself, or will. */
export class Promoted extends Error {
  override readonly name = 'Promoted';
}

/** The session that told how far it is was lost. */
export class Lost extends Error {
  override readonly name = 'SessionLost';
}

/** A session of the pool is of another server than the one that is followed. */
export class OtherServer extends Error {
  override readonly name = 'OtherServer';

  constructor(address: string) {
    super(`${address} leads to several servers, or to one that has begun anew.`);
  }
}

/** The code or name of an error, which hold neither a statement nor an address. */
export function failureOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return errorCode(error)?.code ?? code ?? name;
}
