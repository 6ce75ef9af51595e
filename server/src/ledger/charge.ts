import { batchJson } from '../database/batch.condition.ts';
import { coalesce, onEach, UNDECIDED } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import { sharedRoom } from '../database/shared-room.ts';
import type { AcceptedScore } from '../scoring/accept-score.ts';
import type { ChargeSource } from './balance.ts';
import { CHARGE } from './charge.sql.ts';
import { ledgerTurns } from './ledger-turns.ts';
import { callColumnsOf, type ReserveInput } from './reserve.ts';
import { type Settled, type SettledRow, settledOf } from './settle.ts';
import { type SentScore, sendScores } from './stored-evidence.ts';

/** A run that was held and settled at once. */
export interface Charged extends Settled {
  source: ChargeSource;
}

export interface ChargeInput extends ReserveInput {
  /** What it is charged for; of the subject `subjectId`. */
  score: AcceptedScore;
  /** Told when the charge is on its way: from then on only the stored state says what became of it. */
  onSent(): void;
}

type Answer = Charged | null | typeof UNDECIDED;

function chargeAll(
  connection: Connection,
  kind: keyof typeof CHARGE,
  inputs: readonly ChargeInput[],
): Promise<Answer[]> {
  for (const { onSent } of inputs) onSent();
  const scores = inputs.map(({ score }) => score);
  return sendScores(
    connection,
    scores,
    (rows) => send(connection, kind, inputs, rows),
    (answer) => answer !== null && answer !== UNDECIDED,
  );
}

async function send(
  connection: Connection,
  kind: keyof typeof CHARGE,
  inputs: readonly ChargeInput[],
  scores: readonly SentScore[],
): Promise<Answer[]> {
  const items = inputs.map((input, n) =>
    Object.assign(callColumnsOf(input), { subject_type: input.score.subjectType }, scores[n]),
  );
  const rows = await connection.query<Row>(CHARGE[kind], [batchJson(items)]);
  const answers = inputs.map((): Answer => null);
  for (const row of rows) answers[row.n] = answerOf(row);
  return answers;
}

interface Row extends SettledRow {
  n: number;
  source: ChargeSource;
  fits: boolean;
}

function answerOf(row: Row): Answer {
  return row.fits ? Object.assign(settledOf(row), { source: row.source }) : UNDECIDED;
}

const charging = (kind: keyof typeof CHARGE) =>
  onEach((connection) =>
    coalesce<ChargeInput, Charged | null>({
      name: 'charge',
      watch: connection.watch,
      run: (inputs) => chargeAll(connection, kind, inputs),
      laneOf: ({ accountId }) => accountId,
      untilOf: ({ until }) => until,
      room: sharedRoom(connection),
      turns: ledgerTurns(connection),
      keyOf: ({ accountId, idempotencyKey }) => `${accountId} ${idempotencyKey}`,
    }),
  );

const CHARGING = { key: charging('key'), session: charging('session') };

/**
 * S1 and S2 as one, where the score is known before anything is held: picks the first bucket that can pay, charges it, stores
 * the score and the settled run; the calls that wait go in one statement. Null when nothing could be charged (balance,
 * credential or last run changed since the look-up): look up again. Rejects with SQLSTATE 23505 when another won the race with
 * the same key.
 */
export function charge(connection: Connection, input: ChargeInput): Promise<Charged | null> {
  return CHARGING[input.credential.kind](connection)(input);
}
