import { requireLivingCaller } from '../callers/credential-errors.ts';
import type { Credential } from '../callers/principal.ts';
import type { Database } from '../database/connect.ts';
import { type LookUp, lookUp } from '../ledger/look-up.ts';
import { openPeriod } from '../ledger/open-period.ts';
import { type PlanBook, periodBuckets } from '../plans/plans.ts';
import { type InTime, startWaiting } from './deadline.ts';
import { describeCall, type OperationCall, type OperationRequest } from './operation-call.ts';

/** A call whose caller is known to live, and the time that it has left. Nothing else of it was judged yet. */
export interface IdentifiedCall {
  call: OperationCall;
  caller: LookUp;
  inTime: InTime;
}

async function lookUpLiving(database: Database, call: OperationCall): Promise<LookUp> {
  const found = await lookUp(database, call);
  requireLivingCaller(call.credential.kind, found);
  return found;
}

// Twice is the rule; more only where the plan changes or the month ends in between.
const PERIOD_ROUNDS = 4;

/** S0, and once more after opening the running month's buckets where one is missing. */
export async function lookUpWithPeriods(
  database: Database,
  planBook: PlanBook,
  call: OperationCall,
): Promise<LookUp> {
  for (let round = 1; ; round += 1) {
    const found = await lookUpLiving(database, call);
    const missing = periodBuckets(planBook, found).filter(
      ({ source }) => !found.openPeriods.includes(source),
    );
    if (missing.length === 0 || round === PERIOD_ROUNDS) return found;
    await openPeriod(database, found, missing);
  }
}

/** The one look-up of a call, which says whose it is with all that its story needs of them; throws 401, and TooLate. */
export async function identifyCall(
  parts: { database: Database; planBook: PlanBook; timings: { holdMs: number } },
  credential: Credential,
  request: OperationRequest,
): Promise<IdentifiedCall> {
  const { database, planBook, timings } = parts;
  const inTime = startWaiting(timings.holdMs);
  const call = { ...describeCall(planBook, credential, request), until: inTime.until };
  return { call, caller: await inTime(lookUpWithPeriods(database, planBook, call)), inTime };
}
