import type { Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { requireLivingKey } from '../keys/credential-errors.ts';
import { type LookUp, lookUp } from '../ledger/look-up.ts';
import { openPeriod } from '../ledger/open-period.ts';
import { type PlanBook, periodBuckets, planOf } from '../plans/plans.ts';
import { METERED_OPERATIONS } from './metered-operation.ts';
import type { OperationCall } from './operation-call.ts';

/** The caller of the metered route as http hands it over. */
export interface Caller {
  keyHash: Buffer;
  /** Told once the key is known to live; counts the call against its account and throws rate_limited. */
  identified(key: { keyId: string; accountId: string }): Promise<void>;
}

/** S0, and once more after opening the running month's buckets where one is missing. */
export async function lookUpWithPeriods(
  database: Database,
  planBook: PlanBook,
  call: OperationCall,
): Promise<LookUp> {
  const found = await lookUp(database, call);
  requireLivingKey(found);
  const buckets = periodBuckets(planOf(planBook, found.plan), found.overageEnabled);
  const missing = buckets.filter((bucket) => !found.openPeriods.includes(bucket.source));
  if (missing.length === 0) return found;
  await openPeriod(database, found.accountId, missing);
  const again = await lookUp(database, call);
  requireLivingKey(again);
  return again;
}

function requireKeyMatch(call: OperationCall, keyId: string): void {
  if (call.request.apiKeyId !== null && call.request.apiKeyId.toLowerCase() !== keyId) {
    throw new DomainError(
      'key_mismatch',
      'api_key_id is not the id of the access key that signs this request. Leave it out: the key is derived from the bearer token.',
    );
  }
}

function requireScope(call: OperationCall, scopeOk: boolean): void {
  if (scopeOk) return;
  throw new DomainError(
    'insufficient_scope',
    `${call.request.operation} needs the scope ${call.scope}, which this access key lacks. Create a key that has it.`,
  );
}

function requireBuilt(call: OperationCall): void {
  if (METERED_OPERATIONS[call.request.operation].built) return;
  throw new DomainError(
    'unavailable',
    `${call.request.operation} is not offered by this server. Nothing was charged.`,
    {
      retryAfterSeconds: 3600,
    },
  );
}

/** Credential, account limit, api_key_id and scope, in that order; throws 401, 429, 403, 403. */
export async function admitCall(
  database: Database,
  planBook: PlanBook,
  caller: Caller,
  call: OperationCall,
): Promise<LookUp> {
  const found = await lookUpWithPeriods(database, planBook, call);
  await caller.identified(found);
  requireKeyMatch(call, found.keyId);
  requireScope(call, found.scopeOk);
  requireBuilt(call);
  return found;
}
