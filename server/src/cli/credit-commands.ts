import { type Command, Option } from 'commander';
import { GRANTED_SOURCES, type GrantedSource } from '../access/plans/charge-sources.ts';
import { positiveInteger, print, wholeNumber, withDatabase } from './with-database.ts';

const DEFAULT_GRANT_MONTHS = 24;
const ACCOUNT = ['--account <handle>', 'handle or id of the account'] as const;

/** Adds `plan set`, `overage on|off`, `grant` and `adjust`, which determine what an account may spend. */
export function addCreditCommands(program: Command): void {
  addPlan(program);
  addOverage(program);
  addGrant(program);
  addAdjust(program);
}

function addPlan(program: Command): void {
  program
    .command('plan')
    .description('the plan of an account')
    .command('set')
    .description('change the plan of an account: at once if it reduces nothing, otherwise from next month on')
    .requiredOption(...ACCOUNT)
    .requiredOption('--plan <plan>', 'one of the plans in plans.json')
    .action((options: { account: string; plan: string }) =>
      withDatabase(async ({ database, planBook }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { setPlan } = await import('../billing/balance/change-plan.ts');
        const { id, handle } = await requireAccountByName(database, options.account);
        const { before, plan, from } = await setPlan(database, planBook, id, options.plan);
        print(
          from === null
            ? `${handle} is on the plan ${plan} now (before: ${before})`
            : `${handle} stays on the plan ${before} until ${from}, then ${plan}`,
        );
      }),
    );
}

function addOverage(program: Command): void {
  const overage = program
    .command('overage')
    .description('calls beyond the included credits, if the plan offers them');
  overage
    .command('on')
    .description('enable overage, effective at once')
    .requiredOption(...ACCOUNT)
    .option('--cap <credits>', "credits per month; by default the plan's cap", positiveInteger)
    .action((options: { account: string; cap?: number }) =>
      withDatabase(async ({ database, planBook }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { setOverage } = await import('../billing/balance/change-plan.ts');
        const { id, handle } = await requireAccountByName(database, options.account);
        const choice = { enabled: true, capCredits: options.cap ?? null } as const;
        const total = await setOverage(database, planBook, id, choice);
        print(`${handle} may use ${total} credits of overage a month`);
      }),
    );
  overage
    .command('off')
    .description('disable overage, effective at once; calls in progress are still charged')
    .requiredOption(...ACCOUNT)
    .action((options: { account: string }) =>
      withDatabase(async ({ database, planBook }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { setOverage } = await import('../billing/balance/change-plan.ts');
        const { id, handle } = await requireAccountByName(database, options.account);
        await setOverage(database, planBook, id, { enabled: false });
        print(`${handle} uses no overage`);
      }),
    );
}

interface GrantOptions {
  account: string;
  credits: number;
  source: GrantedSource;
  months: number;
  note: string;
}

function addGrant(program: Command): void {
  program
    .command('grant')
    .description('grant credits to an account; every grant is a ledger entry')
    .requiredOption(...ACCOUNT)
    .requiredOption('--credits <number>', 'credits, 1 or more', positiveInteger)
    .addOption(new Option('--source <source>', 'kind of credits').choices(GRANTED_SOURCES).default('gifted'))
    .option('--months <number>', 'months until the grant expires', positiveInteger, DEFAULT_GRANT_MONTHS)
    .option('--note <text>', 'reason, stored with the entry', '')
    .action(({ account, ...options }: GrantOptions) =>
      withDatabase(async ({ database }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { grant } = await import('../billing/ledger/grant-and-adjust.ts');
        const { id, handle } = await requireAccountByName(database, account);
        const { expiresAt } = await grant(database, { accountId: id, ...options });
        print(`${options.credits} ${options.source} credits for ${handle}, until ${expiresAt}`);
      }),
    );
}

interface AdjustOptions {
  account: string;
  bucket: number;
  credits: number;
  note: string;
}

function addAdjust(program: Command): void {
  program
    .command('adjust')
    .description('increase or decrease one balance, never below what is used and held; a ledger entry')
    .requiredOption(...ACCOUNT)
    .requiredOption('--bucket <id>', 'the balance, as "accounts show" lists them', positiveInteger)
    .requiredOption('--credits <number>', 'credits to add; negative to remove', wholeNumber)
    .requiredOption('--note <text>', 'reason, stored with the entry')
    .action(({ account, bucket, credits, note }: AdjustOptions) =>
      withDatabase(async ({ database }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { adjust } = await import('../billing/ledger/grant-and-adjust.ts');
        const { id, handle } = await requireAccountByName(database, account);
        const after = await adjust(database, { accountId: id, bucketId: bucket, credits, note });
        print(`${after.source} of ${handle}: ${after.left} left of ${after.total}`);
      }),
    );
}
