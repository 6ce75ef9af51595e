import { requireLivingCaller } from '../callers/credential-errors.ts';
import type { Credential } from '../callers/principal.ts';
import type { Database } from '../database/connect.ts';
import { type LookUp, lookUp } from '../ledger/look-up.ts';
import { openPeriod } from '../ledger/open-period.ts';
import { type PlanBook, periodBuckets } from '../plans/plans.ts';
import type { Naming } from '../subjects/naming.ts';
import { type InTime, startWaiting } from './deadline.ts';
import { describeCall, type OperationCall, type OperationRequest } from './operation-call.ts';
import { type FoundInDirectory, readCall } from './read-call.ts';

/** A call whose caller is known to live, what it is about, and the time that it has left. Nothing else of it was judged yet. */
export interface IdentifiedCall {
  call: OperationCall;
  caller: LookUp;
  found: FoundInDirectory;
  inTime: InTime;
}

// Twice is the rule; more only where the plan changes or the month ends in between.
const PERIOD_ROUNDS = 4;

/** What the look-up found, once more after opening the running month's buckets where one is missing. */
async function withPeriods(
  database: Database,
  planBook: PlanBook,
  call: OperationCall,
  first: LookUp | null,
): Promise<LookUp> {
  for (let round = 1, found = first; ; round += 1) {
    requireLivingCaller(call.credential.kind, found);
    const { openPeriods } = found;
    const missing = periodBuckets(planBook, found).filter(({ source }) => !openPeriods.includes(source));
    if (missing.length === 0 || round === PERIOD_ROUNDS) return found;
    await openPeriod(database, found, missing);
    found = await lookUp(database, call);
  }
}

/** S0 of a call that was read before, with the running month's buckets; throws 401. */
export async function lookUpWithPeriods(
  database: Database,
  planBook: PlanBook,
  call: OperationCall,
): Promise<LookUp> {
  return withPeriods(database, planBook, call, await lookUp(database, call));
}

/** The one reading of a call, which says whose it is and all that its story needs to know; throws 401, and TooLate. */
export async function identifyCall(
  parts: { database: Database; planBook: PlanBook; naming: Naming; timings: { holdMs: number } },
  credential: Credential,
  request: OperationRequest,
): Promise<IdentifiedCall> {
  const { database, planBook, naming, timings } = parts;
  const inTime = startWaiting(timings.holdMs);
  const call = Object.assign(describeCall(planBook, credential, request), { until: inTime.until });
  const identify = async () => {
    const read = await readCall(database, call, naming);
    const caller = await withPeriods(database, planBook, call, read.caller);
    return { call, caller, found: read, inTime };
  };
  return inTime(identify());
}
