/** Properties of a source that pays for metered calls. */
interface SourceProperties {
  readonly name: string;
  /** Unit of the source's buckets: a call, whatever its price, or a credit. */
  readonly unit: 'call' | 'credit';
  /** Origin of the source's buckets: `month` if the plan opens them each month, `grant` if the operator grants them. */
  readonly periodKind: 'month' | 'grant';
  /**
   * True if the total of a bucket is the overage cap that the account has set. Operators cannot adjust such a bucket.
   */
  readonly followsCap: boolean;
  /** Label in tables and forms. */
  readonly label: string;
  /** Plural noun in a sentence. */
  readonly noun: string;
}

/**
 * Lists the charge sources in the order in which they pay. Types, SQL, commands, pages and checks derive from this
 * table. `charge-sources.db.test.ts` compares it with the contract's `ChargeSource` and with the names, units and
 * order in the table `credit_bucket`.
 */
export const CHARGE_SOURCES = [
  {
    name: 'free',
    unit: 'call',
    periodKind: 'month',
    followsCap: false,
    label: 'Free calls',
    noun: 'free calls',
  },
  {
    name: 'gifted',
    unit: 'credit',
    periodKind: 'grant',
    followsCap: false,
    label: 'Gifted',
    noun: 'gifted credits',
  },
  {
    name: 'included',
    unit: 'credit',
    periodKind: 'month',
    followsCap: false,
    label: 'Included',
    noun: 'included credits',
  },
  {
    name: 'purchased',
    unit: 'credit',
    periodKind: 'grant',
    followsCap: false,
    label: 'Purchased',
    noun: 'purchased credits',
  },
  {
    name: 'overage',
    unit: 'credit',
    periodKind: 'month',
    followsCap: true,
    label: 'Overage',
    noun: 'overage',
  },
] as const satisfies readonly SourceProperties[];

type Source = (typeof CHARGE_SOURCES)[number];

/** Kind of balance that paid for a call. */
export type ChargeSource = Source['name'];

/** Source whose buckets a plan opens each month. */
export type MonthlySource = Extract<Source, { periodKind: 'month' }>['name'];

/** Source whose buckets an operator grants. */
export type GrantedSource = Extract<Source, { periodKind: 'grant' }>['name'];

/** Sources whose buckets a plan opens each month. */
export const MONTHLY_SOURCES = CHARGE_SOURCES.filter((source) => source.periodKind === 'month');

/** Names of the sources that an operator can grant. */
export const GRANTED_SOURCES = namesOf(({ periodKind }) => periodKind === 'grant') as GrantedSource[];

/** Returns the properties of a source. */
export function sourceNamed(name: ChargeSource): SourceProperties {
  return CHARGE_SOURCES.find((source) => source.name === name) as Source;
}

/** Nouns of the sources in the order in which they pay, for a sentence. */
export const PAYMENT_ORDER = CHARGE_SOURCES.map(({ noun }) => noun).join(', ');

/** Lists the matching sources as SQL string literals, for `IN (…)`. */
export function sqlSources(matches: (source: SourceProperties) => boolean): string {
  return namesOf(matches)
    .map((name) => `'${name}'`)
    .join(', ');
}

function namesOf(matches: (source: SourceProperties) => boolean): ChargeSource[] {
  return CHARGE_SOURCES.filter(matches).map(({ name }) => name);
}
