import { v7 as uuidv7 } from 'uuid';
import { batchBytes, batchJson } from '../database/batch.condition.ts';
import { coalesce, onEach, UNDECIDED } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import { sharedRoom } from '../database/shared-room.ts';
import type { ChargeSource } from './balance.ts';
import { ledgerTurns } from './ledger-turns.ts';
import type { MeteredCall } from './look-up.ts';
import { RESERVE } from './reserve.sql.ts';

export interface Reservation {
  accountId: string;
  ledgerId: string;
  bucketId: number;
  source: ChargeSource;
  amount: number;
  attempt: number;
}

export interface ReserveInput extends MeteredCall {
  /** Whose call it is, as the look-up found. */
  accountId: string;
  /** The id of the key or session that the look-up found behind the credential. */
  callerId: string;
  /** Made by the process, so that after an unknown outcome the run can be looked for. */
  ledgerId: string;
  operation: string;
  subjectId: string;
  leaseMs: number;
}

interface Row {
  n: number;
  account_id: string;
  bucket_id: number;
  source: ChargeSource;
  amount: number;
  attempt: number;
  fits: boolean;
}

async function reserveAll(
  connection: Connection,
  kind: keyof typeof RESERVE,
  inputs: readonly ReserveInput[],
): Promise<(Reservation | null | typeof UNDECIDED)[]> {
  const rows = await connection.query<Row>(RESERVE[kind], [batchJson(inputs.map(callColumnsOf))]);
  const answers = inputs.map((): Reservation | null | typeof UNDECIDED => null);
  for (const { n, account_id, bucket_id, source, amount, attempt, fits } of rows) {
    const { ledgerId } = inputs[n] as ReserveInput;
    answers[n] = fits
      ? { accountId: account_id, ledgerId, bucketId: bucket_id, source, amount, attempt }
      : UNDECIDED;
  }
  return answers;
}

/** A call as the statements that pick its bucket take it. */
export function callColumnsOf(input: ReserveInput) {
  return {
    caller: input.callerId,
    scope: input.scope,
    key: input.idempotencyKey,
    fingerprint: batchBytes(input.fingerprint),
    price: input.priceCredits,
    ledger_id: input.ledgerId,
    operation: input.operation,
    subject_id: input.subjectId,
    lease_ms: input.leaseMs,
    named: input.credential.kind === 'session' ? input.namedKeyId : null,
  };
}

const reserving = (kind: keyof typeof RESERVE) =>
  onEach((connection) =>
    coalesce<ReserveInput, Reservation | null>({
      name: 'reserve',
      watch: connection.watch,
      run: (inputs) => reserveAll(connection, kind, inputs),
      laneOf: ({ accountId }) => accountId,
      untilOf: ({ until }) => until,
      room: sharedRoom(connection),
      turns: ledgerTurns(connection),
      keyOf: ({ accountId, idempotencyKey }) => `${accountId} ${idempotencyKey}`,
    }),
  );

const RESERVING = { key: reserving('key'), session: reserving('session') };

/** A new receipt number: a UUIDv7, so that runs lie in the index in the order of their making. */
export function newLedgerId(): string {
  return uuidv7();
}

/**
 * S1: picks the first bucket that can pay, holds the amount and opens the run; the calls that wait go in one statement.
 * Null when nothing could be opened (balance, credential or last run changed since the look-up): look up again.
 * Rejects with SQLSTATE 23505 when another process won the race with the same key.
 */
export function reserve(connection: Connection, input: ReserveInput): Promise<Reservation | null> {
  return RESERVING[input.credential.kind](connection)(input);
}
