import { batchJson } from '../database/batch.condition.ts';
import { coalesce, onEach } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import { errorCode } from '../database/database-errors.ts';
import { sharedRoom } from '../database/shared-room.ts';
import type { AcceptedScore } from '../scoring/accept-score.ts';
import { scoreRow } from '../scoring/score-row.ts';
import { type Balance, type BalanceRow, balanceOf } from './balance.ts';
import { ledgerTurns } from './ledger-turns.ts';
import type { Reservation } from './reserve.ts';
import { SETTLE } from './settle.sql.ts';
import { type StoredEvidence, storedEvidence } from './stored-evidence.ts';

const NOT_NULL_VIOLATION = '23502';

export interface Settled {
  balance: Balance;
  /** Database time of the confirmed score, six decimals. */
  scoreVersion: string;
}

interface Settling {
  run: Reservation;
  subjectType: string;
  score: AcceptedScore;
}

async function settleAll(connection: Connection, all: readonly Settling[]): Promise<(Settled | null)[]> {
  const evidence = storedEvidence(connection);
  try {
    return await send(connection, all, evidence);
  } catch (error) {
    // Evidence that was left out is not there: a failover has lost it. Nothing was done, so all is sent again, whole.
    if (errorCode(error)?.code !== NOT_NULL_VIOLATION) throw error;
    evidence.forget();
    return send(connection, all, evidence);
  }
}

async function send(
  connection: Connection,
  all: readonly Settling[],
  evidence: StoredEvidence,
): Promise<(Settled | null)[]> {
  const items = all.map(({ run, subjectType, score }) => ({
    account_id: run.accountId,
    bucket_id: run.bucketId,
    ledger_id: run.ledgerId,
    subject_type: subjectType,
    ...evidence.toSend(score.subjectId, scoreRow(score)),
  }));
  const rows = await connection.query<BalanceRow & { n: number; score_version: string }>(SETTLE, [
    batchJson(items),
  ]);
  const answers = all.map((): Settled | null => null);
  for (const row of rows) {
    answers[row.n] = { balance: balanceOf(row), scoreVersion: row.score_version };
    evidence.note((all[row.n] as Settling).score.subjectId, (items[row.n] as { content: string }).content);
  }
  return answers;
}

const SETTLING = onEach((connection) =>
  coalesce<Settling, Settled | null>({
    name: 'settle',
    watch: connection.watch,
    run: (all) => settleAll(connection, all),
    laneOf: ({ run }) => run.accountId,
    keyOf: ({ run }) => run.ledgerId,
    room: sharedRoom(connection),
    turns: ledgerTurns(connection),
    ends: true,
  }),
);

/**
 * S2: charges the held amount, stores the score and advances the subject's version; the runs that wait to be settled go in
 * one statement. The balance is the one after all of them.
 * Null when the run is no longer open or its lease is over; 23514 on settled_before_lease means the same.
 */
export function settle(
  connection: Connection,
  run: Reservation,
  subjectType: string,
  score: AcceptedScore,
): Promise<Settled | null> {
  return SETTLING(connection)({ run, subjectType, score });
}
