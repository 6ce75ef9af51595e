import { requireLivingCaller } from '../callers/credential-errors.ts';
import { noteSessionSeen } from '../callers/note-session-seen.ts';
import type { Credential } from '../callers/principal.ts';
import type { Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { type LookUp, lookUp } from '../ledger/look-up.ts';
import { openPeriod } from '../ledger/open-period.ts';
import { type PlanBook, periodBuckets } from '../plans/plans.ts';
import type { OperationCall } from './operation-call.ts';

/** The caller of the metered route as http hands it over. */
export interface Caller {
  credential: Credential;
  /**
   * Told once the credential is known to live. Throws csrf_failed where a session's request may not come from our pages;
   * then counts the call against its account and throws rate_limited.
   */
  identified(caller: { keyId: string | null; accountId: string }): Promise<void>;
}

/** The id of the key or session behind the call. */
export function callerIdOf({ keyId, sessionId }: LookUp): string {
  const id = keyId ?? sessionId;
  if (id === null) throw new Error('a caller is a key or a session');
  return id;
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

/** With a key, `api_key_id` may only repeat its id; with a session, it names a key of the account that works. */
function requireNamedKey({ namedKeyId }: OperationCall, { keyId, namedKey }: LookUp): void {
  if (namedKeyId === null) return;
  if (keyId !== null) {
    if (namedKeyId === keyId) return;
    throw new DomainError(
      'key_mismatch',
      'api_key_id is not the id of the access key that signs this request. Leave it out: the key is derived from the bearer token.',
    );
  }
  if (!namedKey) {
    throw new DomainError(
      'key_mismatch',
      'api_key_id is not the id of an access key of this account. Name one of its active keys, or leave it out.',
    );
  }
  if (!namedKey.works) {
    throw new DomainError(
      'key_inactive',
      'The access key that api_key_id names is not active. Name an active one, or leave it out.',
    );
  }
}

function requireScope({ request, scope }: OperationCall, { scopeOk, namedKey }: LookUp): void {
  if (scopeOk && (namedKey?.scopeOk ?? true)) return;
  throw new DomainError(
    'insufficient_scope',
    `${request.operation} needs the scope ${scope}, which this access key lacks. Create a key that has it.`,
  );
}

/** Throws the 403 of a living caller that may not make this call: first what api_key_id says, then the scope. */
export function requireAllowed(call: OperationCall, found: LookUp): void {
  requireNamedKey(call, found);
  requireScope(call, found);
}

/** Credential, origin, account limit, api_key_id and scope, in that order; throws 401, 403, 429, 403, 403. */
export async function admitCall(
  database: Database,
  planBook: PlanBook,
  caller: Caller,
  call: OperationCall,
): Promise<LookUp> {
  const found = await lookUpWithPeriods(database, planBook, call);
  await caller.identified(found);
  requireAllowed(call, found);
  await noteSessionSeen(database, found);
  return found;
}
