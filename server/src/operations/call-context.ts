import { type PlanBook, periodBuckets } from '../access/plans/plans.ts';
import { billingContextSqlOf } from '../billing/ledger/billing-context.fragment.ts';
import {
  type BillingContext,
  type BillingContextRow,
  billingContextItemOf,
  billingContextOf,
  callerPartition,
  loadBillingContext,
} from '../billing/ledger/billing-context.ts';
import { openPeriod } from '../billing/ledger/change-period.ts';
import type { FoundSubject } from '../catalog/subjects/found-subject.fragment.ts';
import {
  BEST_SUBJECTS,
  FOUND_IN_REPOSITORY,
  FOUND_ORDER,
  FOUND_SUBJECT,
  LOOKUP_COLUMNS,
  WITHIN_LIMIT,
} from '../catalog/subjects/found-subject.fragment.ts';
import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import { subjectLookup } from '../catalog/subjects/resolve-subject.ts';
import { batchJson } from '../platform/batching/batch-source.ts';
import { createBatcher } from '../platform/batching/batcher.ts';
import { perConnection, statementLimiter } from '../platform/batching/concurrency-control.ts';
import type { Connection, Database } from '../platform/database/connect.ts';
import { type Credential, requireValidCaller } from '../platform/http/credentials/principal.ts';
import type { FactsKind, SubjectFacts } from '../scoring/facts/facts-kind.ts';
import { type FactsSql, SNAPSHOT_TIME_CTE } from '../scoring/facts/facts-kind.ts';
import { FACTS_BY_TYPE } from '../scoring/facts/load-facts.ts';
import type { ScoringQueueEntry } from '../scoring/queue/enqueue-scoring.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import {
  describeCall,
  METERED_OPERATIONS,
  type OperationCall,
  type OperationRequest,
} from './operation-call.ts';

/**
 * SQL condition for reading facts: exactly one subject matches, and no run with the call's idempotency key is settled.
 */
const WANTED = "best.subjects = 1 AND p.state IS DISTINCT FROM 'settled'";

/**
 * Reads the subject's entry in the scoring queue, in the same snapshot as its facts: if the entry is visible, so is the
 * change that queued it.
 */
const QUEUE_ENTRY = `(SELECT jsonb_build_object('own', d.own, 'notedAt', utc_text(d.noted_at))
    FROM score_due d WHERE d.subject_id = asked.id) AS queue_entry`;

/**
 * Returns SQL that resolves an agent or skill and reads its facts. Reads each table once, even if resolving and facts
 * both need it. Reads the creator, and the tables that depend on it, only if facts are needed.
 */
const foundWithFacts = ({ columns }: FactsSql, joinsAfterCreator: string) => ({
  columns: 'found.*, ',
  joins: `LEFT JOIN LATERAL (SELECT ${FOUND_IN_REPOSITORY}, CASE WHEN c.subject_id IS NOT NULL THEN moment.now END AS now, ${QUEUE_ENTRY}, ${columns}
  FROM (SELECT best.subject_id AS id, c.hosts, ${WANTED} AS wanted) asked CROSS JOIN moment JOIN subject s ON s.id = asked.id
    LEFT JOIN artifact a ON a.subject_id = s.id LEFT JOIN listing l ON l.subject_id = coalesce(a.listing_id, s.id)
    LEFT JOIN creator c ON c.subject_id = CASE WHEN asked.wanted THEN l.creator_id END ${joinsAfterCreator} OFFSET 0) found ON true`,
});

const foundThenFacts = ({ columns, tables }: FactsSql) => ({
  columns: 'found.*, facts.*, ',
  joins: `LEFT JOIN LATERAL (${FOUND_SUBJECT}) found ON true
LEFT JOIN LATERAL (SELECT moment.now, ${QUEUE_ENTRY}, ${columns}
  FROM (SELECT found.id WHERE ${WANTED}) asked CROSS JOIN moment JOIN subject s ON s.id = asked.id ${tables} OFFSET 0) facts ON true`,
});

/**
 * Builds the statement that reads each call's billing context, resolves its subjects and, if exactly one matches, reads
 * that subject's facts. The statement returns one row per subject of a call, and a row without a subject if none
 * matches; for a call of an unknown caller, it returns none. It reads no facts if a run with the call's idempotency key
 * is already settled. Column names are unique.
 */
export function readCallSql(
  caller: keyof typeof billingContextSqlOf,
  { sql }: FactsKind<{ id: string }>,
): string {
  const { columns, joins } = sql.joinsAfterCreator
    ? foundWithFacts(sql, sql.joinsAfterCreator)
    : foundThenFacts(sql);
  return billingContextSqlOf[caller]({
    fields: `, ${LOOKUP_COLUMNS}`,
    tables: `, ${BEST_SUBJECTS}, ${SNAPSHOT_TIME_CTE}`,
    columns,
    joins: `LEFT JOIN best ON ${WITHIN_LIMIT}
${joins}
ORDER BY c.n, ${FOUND_ORDER}`,
  });
}

/** Data of the directory about a call's subject. */
interface FoundInDirectory {
  /** Subjects that match the text of the request's field `subject`. */
  subjects: readonly FoundSubject[];
  /**
   * Facts of the subject if exactly one matches; otherwise null. Null also if a run with this idempotency key is
   * already settled, or if the subject was just removed.
   */
  facts: SubjectFacts | null;
  /** The subject's entry in the scoring queue, read with its facts; a score of these facts completes the entry. */
  queueEntry: ScoringQueueEntry | null;
}

/** Caller (null for an unknown credential) and subject data of a call, from one snapshot. */
interface CallRead extends FoundInDirectory {
  caller: BillingContext | null;
}

interface Asked {
  call: OperationCall;
  publicUrls: PublicUrls;
}

type CallerKind = OperationCall['credential']['kind'];

type Row = BillingContextRow &
  Omit<FoundSubject, 'id'> & {
    id: string | null;
    now: string | null;
    queue_entry: Omit<ScoringQueueEntry, 'id'> | null;
  };

function itemOf({ call, publicUrls }: Asked) {
  const { operation, subject } = call.request;
  const { subjectTypes } = METERED_OPERATIONS[operation];
  return Object.assign(billingContextItemOf(call), subjectLookup(subjectTypes, subject.trim(), publicUrls));
}

function readOf(rows: readonly Row[], { factsOf }: FactsKind<{ id: string }>): CallRead {
  const [first] = rows;
  if (!first) return { caller: null, subjects: [], facts: null, queueEntry: null };
  const subjects = rows.filter((row): row is Row & FoundSubject => row.id !== null);
  const [only] = subjects;
  const caller = billingContextOf(first);
  if (!only || only.now === null) return { caller, subjects, facts: null, queueEntry: null };
  const queueEntry = only.queue_entry && { id: only.id, ...only.queue_entry };
  return { caller, subjects, facts: factsOf(only), queueEntry };
}

const reading = (caller: CallerKind, kind: FactsKind<{ id: string }>) => {
  const sql = readCallSql(caller, kind);
  return perConnection((connection) =>
    createBatcher<Asked, CallRead>({
      name: 'look_up',
      watch: connection.watch,
      async run(calls) {
        const rows = await connection.query<Row>(sql, [batchJson(calls.map(itemOf))]);
        const rowsOfCalls = calls.map((): Row[] => []);
        for (const row of rows) rowsOfCalls[row.n]?.push(row);
        return rowsOfCalls.map((each) => readOf(each, kind));
      },
      limiter: statementLimiter(connection),
      partitionKeyOf: ({ call }) => callerPartition(call),
      deadlineOf: ({ call }) => call.until,
    }),
  );
};

const READING = new Map(
  [...new Set(Object.values(FACTS_BY_TYPE))].map((kind) => [
    kind,
    { key: reading('key', kind), session: reading('session', kind) },
  ]),
);

/**
 * Reads the billing context, the subjects and the facts of a call in one statement. Waiting calls share a statement if
 * their subjects need the same facts and their credentials are of the same kind.
 */
export function readCall(
  connection: Connection,
  call: OperationCall,
  publicUrls: PublicUrls,
): Promise<CallRead> {
  const [type] = METERED_OPERATIONS[call.request.operation].subjectTypes;
  const reading = READING.get(FACTS_BY_TYPE[type]);
  if (!reading) throw new Error('no statement is defined for the facts of this operation');
  return reading[call.credential.kind](connection)({ call, publicUrls });
}

/** A call of an authenticated caller, the data read for it, and its deadline. No check of `REFUSALS` has run yet. */
export interface CallContext {
  call: OperationCall;
  caller: BillingContext;
  found: FoundInDirectory;
  withinDeadline: Deadline;
}

// Maximum reads of the billing context of a call, the first one included. Two are enough unless the plan changes or the
// month ends between a read and the opening of the missing buckets.
const PERIOD_ROUNDS = 4;

/**
 * Opens missing buckets of the current month and returns the billing context read afterwards. Returns `first` if no
 * bucket is missing. Throws 401 if the caller is not valid.
 */
async function openMissingPeriods(
  database: Database,
  planBook: PlanBook,
  call: OperationCall,
  first: BillingContext | null,
): Promise<BillingContext> {
  for (let round = 1, found = first; ; round += 1) {
    requireValidCaller(call.credential.kind, found);
    const { openPeriods } = found;
    const missing = periodBuckets(planBook, found).filter(({ source }) => !openPeriods.includes(source));
    if (missing.length === 0 || round === PERIOD_ROUNDS) return found;
    await openPeriod(database, found, missing);
    found = await loadBillingContext(database, call);
  }
}

/**
 * Reads the billing context of a call again, and opens missing buckets of the current month. Throws 401 if the caller
 * is no longer valid.
 */
export async function reloadBillingContext(
  database: Database,
  planBook: PlanBook,
  call: OperationCall,
): Promise<BillingContext> {
  return openMissingPeriods(database, planBook, call, await loadBillingContext(database, call));
}

/**
 * Starts the deadline of a call and reads its billing context, subjects and facts in one statement. Then opens missing
 * buckets of the current month. Throws 401 for an invalid caller, and 503 after the deadline.
 */
export async function loadCallContext(
  parts: { database: Database; planBook: PlanBook; publicUrls: PublicUrls; timings: { holdMs: number } },
  credential: Credential,
  request: OperationRequest,
): Promise<CallContext> {
  const { database, planBook, publicUrls, timings } = parts;
  const withinDeadline = startDeadline(timings.holdMs);
  const call = Object.assign(describeCall(planBook, credential, request), { until: withinDeadline.until });
  const identify = async () => {
    const read = await readCall(database, call, publicUrls);
    const caller = await openMissingPeriods(database, planBook, call, read.caller);
    return { call, caller, found: read, withinDeadline };
  };
  return withinDeadline(identify());
}
