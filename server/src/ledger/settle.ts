import { batchJson } from '../database/batch.condition.ts';
import { coalesce, onEach } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import { sharedRoom } from '../database/shared-room.ts';
import type { AcceptedScore } from '../scoring/accept-score.ts';
import { type Balance, type BalanceRow, balanceOf } from './balance.ts';
import { ledgerTurns } from './ledger-turns.ts';
import type { Reservation } from './reserve.ts';
import { SETTLE } from './settle.sql.ts';
import { type SentScore, sendScores } from './stored-evidence.ts';

export interface Settled {
  /** The bucket right after this charge. */
  balance: Balance;
  /** Database time of the confirmed score, six decimals. */
  scoreVersion: string;
}

export interface SettledRow extends BalanceRow {
  score_version: string;
}

/** What a statement that charges says of a run. */
export function settledOf(row: SettledRow): Settled {
  return { balance: balanceOf(row), scoreVersion: row.score_version };
}

interface Settling {
  run: Reservation;
  subjectType: string;
  score: AcceptedScore;
}

function settleAll(connection: Connection, all: readonly Settling[]): Promise<(Settled | null)[]> {
  const scores = all.map(({ score }) => score);
  return sendScores(
    connection,
    scores,
    (rows) => send(connection, all, rows),
    (settled) => settled !== null,
  );
}

async function send(
  connection: Connection,
  all: readonly Settling[],
  scores: readonly SentScore[],
): Promise<(Settled | null)[]> {
  const items = all.map(({ run, subjectType }, n) => {
    const { accountId: account_id, bucketId: bucket_id, ledgerId: ledger_id } = run;
    return Object.assign({ account_id, bucket_id, ledger_id, subject_type: subjectType }, scores[n]);
  });
  const rows = await connection.query<SettledRow & { n: number }>(SETTLE, [batchJson(items)]);
  const answers = all.map((): Settled | null => null);
  for (const row of rows) answers[row.n] = settledOf(row);
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
 * one statement. Each one's balance is its bucket's right after it, in the order of the statement.
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
