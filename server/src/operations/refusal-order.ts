import type { BillingContext, LastRun } from '../billing/ledger/billing-context.ts';
import type { ErrorCode } from '../platform/errors/domain-error.ts';
import type { OperationCall } from './operation-call.ts';
import {
  type LedgerParts,
  requireKeyLimit,
  requireNamedKey,
  requireScope,
  requireSufficientBalance,
  resolveReplay,
} from './refusal-checks.ts';

/** Result of a check that passes: a settled run to replay, otherwise null or undefined. A check that refuses throws. */
type Passed = LastRun | null | undefined;

interface Refusal {
  /** Name in the contract, under "Order of checks". */
  readonly name: string;
  /** `caller` checks run before the session's use is recorded, `state` checks after it. */
  readonly of: 'caller' | 'state';
  readonly codes: readonly ErrorCode[];
  /**
   * True if the reason for the refusal may arise after the billing context was read. The check is then repeated if the
   * statement that opens the run opens none.
   */
  readonly isReevaluated: boolean;
  /** True if a dry run skips the check. */
  readonly onlyCharged?: boolean;
  /** Returns a promise only if the check must query the database, so that most calls do not wait. */
  check(parts: LedgerParts, call: OperationCall, found: BillingContext): Passed | Promise<Passed>;
}

/**
 * Refusals of an authenticated call, in the order in which they are checked. Malformed and unauthenticated requests are
 * refused earlier (steps 1 to 5 in this module's README). The README and the contract have the whole order. The subject
 * is checked last and separately, because that check returns the subject.
 */
export const REFUSALS: readonly Refusal[] = [
  {
    name: '`api_key_id`',
    of: 'caller',
    codes: ['key_mismatch', 'key_inactive'],
    isReevaluated: true,
    check: (_parts, call, found) => requireNamedKey(call, found),
  },
  {
    name: 'scope',
    of: 'caller',
    codes: ['insufficient_scope'],
    isReevaluated: true,
    check: (_parts, call, found) => requireScope(call, found),
  },
  {
    name: 'the state of the idempotency key',
    of: 'state',
    codes: ['idempotency_key_reused', 'idempotency_in_progress', 'rate_limited'],
    isReevaluated: true,
    onlyCharged: true,
    check: ({ database }, _call, found) => resolveReplay(database, found),
  },
  {
    name: 'the monthly limit of the access key',
    of: 'state',
    codes: ['key_limit_exceeded'],
    isReevaluated: true,
    check: requireKeyLimit,
  },
  {
    name: 'balance',
    of: 'state',
    codes: ['insufficient_credits'],
    isReevaluated: true,
    check: requireSufficientBalance,
  },
];

const FIRST = {
  caller: REFUSALS.filter((each) => each.of === 'caller'),
  state: REFUSALS.filter((each) => each.of === 'state'),
};

const AGAIN = {
  caller: FIRST.caller.filter(({ isReevaluated }) => isReevaluated),
  state: FIRST.state.filter(({ isReevaluated }) => isReevaluated),
};

/**
 * Runs the checks of the caller or of the state, in order. Throws the first refusal. The checks of the state return the
 * settled run with the same idempotency key if there is one. `again` runs only the checks with `isReevaluated`.
 */
export async function runChecks(
  of: Refusal['of'],
  parts: LedgerParts,
  call: OperationCall,
  found: BillingContext,
  again = false,
): Promise<LastRun | null> {
  for (const { check, onlyCharged } of (again ? AGAIN : FIRST)[of]) {
    if (onlyCharged && call.request.dryRun) continue;
    const result = check(parts, call, found);
    const settled = result instanceof Promise ? await result : result;
    if (settled) return settled;
  }
  return null;
}
