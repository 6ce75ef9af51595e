import type { BillingContext, LastRun } from '../billing/ledger/billing-context.ts';
import type { ErrorCode } from '../platform/errors/domain-error.ts';
import type { OperationCall } from './operation-call.ts';
import {
  type LedgerParts,
  requireNamedKey,
  requireScope,
  requireSufficientBalance,
  resolveReplay,
} from './refusal-checks.ts';

/** Result of a check that passes: the settled run to replay, or nothing. A check that refuses throws. */
type Passed = LastRun | null | undefined;

interface Refusal {
  /** Name in the contract, under "Order of checks". */
  readonly name: string;
  /** Checks of the caller come before the session's use is recorded, those of the state after it. */
  readonly of: 'caller' | 'state';
  readonly codes: readonly ErrorCode[];
  /** True if it may become true between the look-up and the charge: it is checked again when a run was not opened. */
  readonly isReevaluated: boolean;
  /** True if a dry run skips it. */
  readonly onlyCharged?: boolean;
  /** Returns a promise only if it has to ask the database, so that most calls do not wait. */
  check(parts: LedgerParts, call: OperationCall, found: BillingContext): Passed | Promise<Passed>;
}

/**
 * Refusals of an authenticated call, in the order in which they are checked. Malformed and unauthenticated requests are
 * refused before (steps 1 to 5 of this module's README, which has the whole order, as the contract has). The subject is
 * checked after these, because its check returns the subject.
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
 * Runs the checks of the caller or of the state, in order. Throws the first refusal; returns the settled run of the same
 * idempotency key if there is one. `again` runs only those that may have changed since the look-up.
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
