import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { MONTHLY_SOURCES, type MonthlySource } from './charge-sources.ts';

/** The six metered operations, in the order of the price table. */
export const OPERATIONS = [
  'agent_score',
  'skill_score',
  'creator_score',
  'social_account_score',
  'messenger_account_score',
  'agent_skill_lineage',
] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Plan {
  activeKeys: number;
  /** Free calls per month. */
  freeCalls: number;
  /** Included credits per month. */
  includedCredits: number;
  /** Maximum overage credits per month if the account enables overage; null if the plan has no overage. */
  overageCapCredits: number | null;
}

export interface PlanBook {
  /** Price per call, in credits. */
  prices: Readonly<Record<Operation, number>>;
  plans: Readonly<Record<string, Plan>>;
}

const amount = { type: 'integer', minimum: 0, maximum: 1_000_000_000 };
const schema = {
  type: 'object',
  required: ['prices', 'plans'],
  additionalProperties: false,
  properties: {
    prices: {
      type: 'object',
      required: [...OPERATIONS],
      additionalProperties: false,
      properties: Object.fromEntries(OPERATIONS.map((operation) => [operation, { ...amount, minimum: 1 }])),
    },
    plans: {
      type: 'object',
      required: ['free'],
      propertyNames: { pattern: '^[a-z][a-z0-9_-]{0,31}$' },
      additionalProperties: {
        type: 'object',
        required: ['activeKeys', 'freeCalls', 'includedCredits', 'overageCapCredits'],
        additionalProperties: false,
        properties: {
          activeKeys: { ...amount, minimum: 1 },
          freeCalls: amount,
          includedCredits: amount,
          overageCapCredits: { ...amount, type: ['integer', 'null'] },
        },
      },
    },
  },
};

/**
 * Parses an operator's plans and prices. Throws an Error that names the invalid JSON, or every violation of the schema
 * with its location.
 */
export function parsePlanBook(text: string, source: string): PlanBook {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, validateSchema: false });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Error(`${source} is not valid JSON: ${(error as Error).message}. Correct it there.`);
  }
  if (!ajv.validate(schema, content)) {
    const problems = (ajv.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message}`);
    throw new Error(`${source} is not a valid list of plans: ${problems.join('; ')}. Correct it there.`);
  }
  return content as PlanBook;
}

/** Reads plans and prices from the operator's file. */
export function readPlanBook(path: string): PlanBook {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(
      `PLANS_FILE cannot be read: ${(error as Error).message}. Name an existing file, or unset it to use the built-in plans.`,
    );
  }
  return parsePlanBook(text, `PLANS_FILE ${path}`);
}

/** A bucket that a plan gives an account each month. */
export interface PeriodBucket {
  source: MonthlySource;
  unit: 'call' | 'credit';
  total: number;
}

/** Plan and overage settings that determine an account's monthly buckets. */
export interface PlanSettings {
  /** Current plan of the account. */
  plan: string;
  overageEnabled: boolean;
  /** Monthly overage cap that the account chose; null means the plan's cap. */
  overageCap: number | null;
}

/** Returns the overage credits that an account may use per month: the account's cap, but at most the plan's. */
export function overageCredits(plan: Plan, { overageEnabled, overageCap }: PlanSettings): number {
  const planCap = plan.overageCapCredits ?? 0;
  return overageEnabled ? Math.min(overageCap ?? planCap, planCap) : 0;
}

/** Lists the buckets that an account gets each month, without empty ones. */
export function periodBuckets(planBook: PlanBook, settings: PlanSettings): PeriodBucket[] {
  const plan = planOf(planBook, settings.plan);
  const totals: Record<MonthlySource, number> = {
    free: plan.freeCalls,
    included: plan.includedCredits,
    overage: overageCredits(plan, settings),
  };
  const buckets = MONTHLY_SOURCES.map(({ name, unit }) => ({ source: name, unit, total: totals[name] }));
  return buckets.filter((bucket) => bucket.total > 0);
}

/**
 * Returns true if each limit and amount of `plan` is at least as high as in `than`, so that a change from `than` to
 * `plan` takes nothing away.
 */
export function isAtLeast(plan: Plan, than: Plan): boolean {
  return (
    plan.activeKeys >= than.activeKeys &&
    plan.freeCalls >= than.freeCalls &&
    plan.includedCredits >= than.includedCredits &&
    (plan.overageCapCredits ?? 0) >= (than.overageCapCredits ?? 0)
  );
}

/** Finds a plan by name. */
export function findPlan(planBook: PlanBook, name: string): Plan | undefined {
  return Object.hasOwn(planBook.plans, name) ? planBook.plans[name] : undefined;
}

/** Returns a plan by name. Throws invalid_request with the available plans in its message. */
export function requirePlan(planBook: PlanBook, name: string): Plan {
  const plan = findPlan(planBook, name);
  if (plan) return plan;
  throw new DomainError(
    'invalid_request',
    `There is no plan "${name}". Plans: ${Object.keys(planBook.plans).join(', ')}.`,
  );
}

/**
 * Returns the plan of an account. Throws unavailable if the operator's list lacks the plan. A server does not start if
 * its list lacks the plan of an account. While the server runs, however, another process with a different list may give
 * an account a plan that is missing here.
 */
export function planOf(planBook: PlanBook, name: string): Plan {
  const plan = findPlan(planBook, name);
  if (plan) return plan;
  throw new DomainError(
    'unavailable',
    `This server's list of plans lacks the account's plan "${name}". Its operator must add the plan or move the account to another; retry after that.`,
    {
      retryAfterSeconds: 60,
      logged: {
        level: 'error',
        fields: { plan: name, plans: Object.keys(planBook.plans) },
        message:
          'an account is on a plan that PLANS_FILE lacks: add the plan to the file and restart, or move the account with "plan set"',
      },
    },
  );
}
