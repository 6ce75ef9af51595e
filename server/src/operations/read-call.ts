import { batchJson } from '../database/batch.condition.ts';
import { coalesce, onEach } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import { sharedRoom } from '../database/shared-room.ts';
import { LOOK_UP_LANES, type LookUp, type LookUpRow, lookUpItemOf, lookUpOf } from '../ledger/look-up.ts';
import type { FactsKind } from '../scoring/facts/facts-kind.ts';
import { FACTS_OF } from '../scoring/facts/load-facts.ts';
import type { SubjectFacts } from '../scoring/facts/subject-facts.ts';
import type { DueNote } from '../scoring/note-score-due.ts';
import type { FoundSubject } from '../subjects/found-subject.condition.ts';
import type { Naming } from '../subjects/naming.ts';
import { questionOf } from '../subjects/resolve-subject.ts';
import { METERED_OPERATIONS } from './metered-operation.ts';
import type { OperationCall } from './operation-call.ts';
import { readCallSql } from './read-call.sql.ts';

/** What the directory knows of what a call asks for. */
export interface FoundInDirectory {
  /** The subjects that its text names. */
  subjects: readonly FoundSubject[];
  /** Of the only one, where something in the registry stands behind it. */
  facts: SubjectFacts | null;
  /** The note of that subject, read with its facts: once these are scored, it is settled. */
  dueNote: DueNote | null;
}

/** Whose a call is, null where nobody has the credential, and what it is about: of one moment. */
interface CallRead extends FoundInDirectory {
  caller: LookUp | null;
}

interface Asked {
  call: OperationCall;
  naming: Naming;
}

type CallerKind = OperationCall['credential']['kind'];
type Row = LookUpRow &
  Omit<FoundSubject, 'id'> & { id: string | null; now: string | null; due_note: Omit<DueNote, 'id'> | null };

function itemOf({ call, naming }: Asked) {
  const { operation, subject } = call.request;
  const { subjectTypes } = METERED_OPERATIONS[operation];
  return Object.assign(lookUpItemOf(call), questionOf(subjectTypes, subject.trim(), naming));
}

function readOf(rows: readonly Row[], { factsOf }: FactsKind<{ id: string }>): CallRead {
  const [first] = rows;
  if (!first) return { caller: null, subjects: [], facts: null, dueNote: null };
  const subjects = rows.filter((row): row is Row & FoundSubject => row.id !== null);
  const [only] = subjects;
  const caller = lookUpOf(first);
  if (!only || only.now === null) return { caller, subjects, facts: null, dueNote: null };
  const dueNote = only.due_note && { id: only.id, ...only.due_note };
  return { caller, subjects, facts: factsOf(only), dueNote };
}

const reading = (caller: CallerKind, kind: FactsKind<{ id: string }>) => {
  const sql = readCallSql(caller, kind);
  return onEach((connection) =>
    coalesce<Asked, CallRead>({
      name: LOOK_UP_LANES.name,
      watch: connection.watch,
      async run(calls) {
        const rows = await connection.query<Row>(sql, [batchJson(calls.map(itemOf))]);
        const ofCalls = calls.map((): Row[] => []);
        for (const row of rows) ofCalls[row.n]?.push(row);
        return ofCalls.map((some) => readOf(some, kind));
      },
      room: sharedRoom(connection),
      laneOf: ({ call }) => LOOK_UP_LANES.laneOf(call),
      untilOf: ({ call }) => LOOK_UP_LANES.untilOf(call),
    }),
  );
};

const READING = new Map(
  [...new Set(Object.values(FACTS_OF))].map((kind) => [
    kind,
    { key: reading('key', kind), session: reading('session', kind) },
  ]),
);

/**
 * S0 with what the call is about: all that is read of a call before it is judged, in one statement; the calls of one kind
 * that wait for it are read together.
 */
export function readCall(connection: Connection, call: OperationCall, naming: Naming): Promise<CallRead> {
  const reading = READING.get(METERED_OPERATIONS[call.request.operation].facts);
  if (!reading) throw new Error('there is a reading for every kind of facts');
  return reading[call.credential.kind](connection)({ call, naming });
}
