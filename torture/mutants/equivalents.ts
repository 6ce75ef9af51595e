import type { Mutant } from './mutant.ts';

/** Mutants that no test can detect, because rows and answers stay the same. */
interface Equivalents {
  readonly file: string;
  /**
   * Mutants of the file: the description of the change, as the tool prints it, and its number from 1 among the mutants with
   * this description.
   */
  readonly changes: readonly (readonly [change: string, nth: number])[];
  readonly because: string;
}

const ID_IS_ENOUGH =
  'a bucket’s and a run’s own number are unique over all accounts; the account stands there to lead every index';
const LOOKS_AT_MORE = 'names buckets in which the next statement finds nothing to do';

const LEDGER = 'server/src/billing/ledger/';

/** Equivalent mutants with the reason for each. A mutant in doubt is not listed. */
export const EQUIVALENTS: readonly Equivalents[] = [
  {
    file: `${LEDGER}fail.ts`,
    changes: [['b.account_id = ended.account_id → true', 1]],
    because: ID_IS_ENOUGH,
  },
  {
    file: `${LEDGER}settle.ts`,
    changes: [['b.account_id = ended.account_id → true', 1]],
    because: ID_IS_ENOUGH,
  },
  {
    file: `${LEDGER}charge.ts`,
    changes: [
      ['b.account_id = paid.account_id → true', 1],
      ['b.account_id = paid.account_id → true', 2],
    ],
    because: ID_IS_ENOUGH,
  },
  {
    file: 'server/src/platform/batching/batcher.ts',
    changes: [['< → <=', 3]],
    because: 'the clock would have to stand at the end of somebody’s patience to a fraction of a microsecond',
  },
  {
    file: 'server/src/platform/batching/batcher.ts',
    changes: [['< → <=', 6]],
    because: 'a full batch looks round once more, and takes nothing',
  },
  {
    file: 'server/src/operations/call-context.ts',
    changes: [["throw new Error('no statement is defined for the facts of this operation'); → ;", 1]],
    because: 'it cannot come to this: the readings are made of the kinds',
  },
  {
    file: 'server/src/operations/charge-run.ts',
    changes: [['> → >=', 1]],
    because: 'the clock would have to stand at the end of the call’s time to a fraction of a microsecond',
  },
  {
    file: `${LEDGER}reap.ts`,
    changes: [
      ['account_id = $1 → true', 1],
      ['r.account_id = $1 → true', 1],
      ['r.account_id = $1 → true', 2],
      ['b.account_id = $1 → true', 1],
    ],
    because: ID_IS_ENOUGH,
  },
  {
    file: `${LEDGER}reserve.ts`,
    changes: [['b.account_id = s.account_id → true', 1]],
    because: ID_IS_ENOUGH,
  },
  {
    file: `${LEDGER}grant-and-adjust.ts`,
    changes: [
      ['b.account_id = $1 → true', 1],
      ['b.account_id = $1 → true', 2],
    ],
    because: `${ID_IS_ENOUGH}, and each of the two stands in for the other`,
  },
  {
    file: `${LEDGER}change-period.ts`,
    changes: [
      ['e.account_id = $1 → true', 1],
      ['b.account_id = $1 → true', 2],
    ],
    because: ID_IS_ENOUGH,
  },
  {
    file: `${LEDGER}reap.ts`,
    changes: [
      ['lease_until <= ledger_now() → true', 1],
      ['lease_until <= ledger_now() → true', 2],
    ],
    because: LOOKS_AT_MORE,
  },
  {
    file: `${LEDGER}change-period.ts`,
    changes: [['b.source IN (SELECT source FROM w) → true', 1]],
    because: 'locks more buckets of the month; those without a counterpart in the plan drop out at the join',
  },
  {
    file: 'server/src/access/keys/key.queries.ts',
    changes: [['false → true', 1]],
    because: 'nobody reads what the statement that stores a key returns',
  },
  {
    file: 'server/src/platform/http/limits/rate-limits.ts',
    changes: [['true → false', 1]],
    because:
      'our client keeps no queue while Redis is away, so that its commands fail at once with or without this',
  },
];

/** Removes the mutants that EQUIVALENTS lists. */
export function withoutEquivalents(mutants: readonly Mutant[]): Mutant[] {
  const seen = new Map<string, number>();
  const nothing = new Set(
    EQUIVALENTS.flatMap(({ file, changes }) => changes.map((change) => nameOf(file, ...change))),
  );
  return mutants.filter(({ file, change }) => {
    const nth = (seen.get(`${file} ${change}`) ?? 0) + 1;
    seen.set(`${file} ${change}`, nth);
    return !nothing.has(nameOf(file, change, nth));
  });
}

function nameOf(file: string, change: string, nth: number): string {
  return `${file} ${change} ${nth}`;
}
