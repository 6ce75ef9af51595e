import type { Command } from 'commander';
import type { CountedAccount } from '../access/callers/require-account.ts';
import type { Identity } from '../accounts/sign-in/sign-in-identity.ts';
import type { Database } from '../platform/database/connect.ts';
import { print, printTable, type Tools, withDatabase } from './with-database.ts';

const ACCOUNT = ['--account <handle>', 'handle or id of the account'] as const;

interface Named {
  account: string;
}

/** Adds `accounts create|list|show|suspend|resume|delete` and `sign-in-link`. */
export function addAccountCommands(program: Command): void {
  const accounts = program.command('accounts').description('create, show, suspend and delete accounts');
  accounts
    .command('create')
    .description('create an account with its creator handle')
    .requiredOption('--handle <handle>', 'creator handle, unique without regard to case')
    .option('--plan <plan>', 'one of the plans in plans.json', 'free')
    .action((options: { handle: string; plan: string }) =>
      withDatabase(async ({ database, planBook }) => {
        const { createAccount } = await import('../accounts/account-lifecycle.ts');
        const account = await createAccount(database, planBook, options);
        print(`account ${account.id} (${account.handle}, plan ${account.plan})`);
      }),
    );
  accounts
    .command('list')
    .description('list accounts with their plan, active keys and state')
    .option('--deleted', 'include deleted accounts')
    .action((options: { deleted?: boolean }) =>
      withDatabase(async ({ database }) => {
        const { listAccounts } = await import('../access/callers/require-account.ts');
        const rows = await listAccounts(database, options);
        if (rows.length === 0) print('no accounts');
        printTable(
          rows.map(({ id, handle, plan, activeKeys, state, createdAt }) => ({
            id,
            handle: handle ?? '',
            plan,
            active_keys: activeKeys,
            state,
            created_at: createdAt,
          })),
        );
      }),
    );
  accounts
    .command('show')
    .description('show an account’s plan, overage, keys and balances')
    .requiredOption(...ACCOUNT)
    .option('--ended', 'include ended balances')
    .action((options: Named & { ended?: boolean }) =>
      withAccount(options, (tools, account) => showAccount(tools, account, options)),
    );
  addClosing(accounts);
  addSignInLink(program);
}

/**
 * Prints an account's state, plan, overage, number of active keys and balances. Each balance has its unit: calls for
 * the source `free`, credits for all other sources.
 */
async function showAccount(
  { database, planBook }: Tools,
  account: CountedAccount,
  options: { ended?: boolean },
): Promise<void> {
  const { findPlan, overageCredits } = await import('../access/plans/plans.ts');
  const { accountBalance } = await import('../billing/balance/account-balance.ts');
  const balance = await accountBalance(database, planBook, account.id, options);
  const plan = findPlan(planBook, balance.plan);
  print(
    `account ${account.id} (${account.handle ?? 'no handle yet'}), ${account.state}, since ${account.createdAt}`,
  );
  const next = balance.nextPlan ? `; ${balance.nextPlan} from ${balance.nextPlanFrom} on` : '';
  print(`plan ${balance.plan}${plan ? '' : ', which is missing from the list of plans'}${next}`);
  const overage = plan ? overageCredits(plan, balance) : 0;
  print(overage > 0 ? `overage up to ${overage} credits a month` : 'no overage');
  print(`${account.activeKeys}${plan ? ` of ${plan.activeKeys}` : ''} active keys`);
  if (balance.buckets.length === 0) print('no balances');
  printTable(
    balance.buckets.map(({ id, source, unit, total, used, held, left, from, to }) => ({
      bucket: id,
      source,
      unit,
      total,
      used,
      held,
      left,
      from,
      to,
    })),
  );
}

function addClosing(accounts: Command): void {
  accounts
    .command('suspend')
    .description('refuse every key and session of an account until it is resumed')
    .requiredOption(...ACCOUNT)
    .action((options: Named) =>
      withAccount(options, async ({ database }, { id, handle }) => {
        const { suspendAccount } = await import('../accounts/account-lifecycle.ts');
        await suspendAccount(database, id);
        print(`${handle ?? id} is suspended`);
      }),
    );
  accounts
    .command('resume')
    .description('resume a suspended account')
    .requiredOption(...ACCOUNT)
    .action((options: Named) =>
      withAccount(options, async ({ database }, { id, handle }) => {
        const { resumeAccount } = await import('../accounts/account-lifecycle.ts');
        await resumeAccount(database, id);
        print(`${handle ?? id} is active`);
      }),
    );
  accounts
    .command('delete')
    .description(
      'delete an account permanently: removes keys, sessions, proofs and handle; keeps receipts and listings',
    )
    .requiredOption(...ACCOUNT)
    .option('--yes', 'confirm; this cannot be undone')
    .action((options: Named & { yes?: boolean }) =>
      withAccount(options, async ({ config, database }, { id, handle, activeKeys }) => {
        const { deleteAccount } = await import('../accounts/account-lifecycle.ts');
        const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
        if (!options.yes) {
          throw new Error(
            `Deleting ${handle ?? id} is final: ${activeKeys} active keys would stop working. Add --yes to confirm.`,
          );
        }
        const backend = createScoringBackend(config);
        await deleteAccount(database, backend, id).finally(() => backend.close());
        print(`${handle ?? id} is deleted; its receipts are kept under ${id}`);
      }),
    );
}

function addSignInLink(program: Command): void {
  program
    .command('sign-in-link')
    .description('print a one-time link that signs a person in')
    .requiredOption(...ACCOUNT)
    .action((options: Named) =>
      withAccount(options, async ({ config, database }, { id, handle }) => {
        const { createSignInLink, signInUrl, SIGN_IN_LINK_MINUTES } = await import(
          '../accounts/sign-in/sign-in-link.ts'
        );
        const { findRunningServers } = await import('../platform/database/advisory-lock.ts');
        const running = await findRunningServers(database);
        const address = running.includes(config.publicUrl) ? config.publicUrl : running[0];
        if (address === undefined && new URL(config.publicUrl).port === '0') {
          throw new Error(
            'No server runs on this database, and PORT is 0: start the server, or set PUBLIC_URL to its address.',
          );
        }
        const token = await createSignInLink(database, id);
        print(`This link signs in as ${handle ?? id}, once, within ${SIGN_IN_LINK_MINUTES} minutes:`);
        print(signInUrl(address ?? config.publicUrl, token));
        if (address === undefined)
          print(
            `No server runs on this database now. The link works as soon as one runs at ${config.publicUrl}.`,
          );
      }),
    );
}

/** Runs a command's work on the account named by its options. */
function withAccount(
  { account }: Named,
  work: (tools: Tools, account: CountedAccount) => Promise<void>,
): Promise<void> {
  return withDatabase(async (tools) => {
    const { requireAccountByName } = await import('../access/callers/require-account.ts');
    return work(tools, await requireAccountByName(tools.database, account));
  });
}

const ISSUER = [
  '--issuer <url>',
  "the provider's issuer URL, exactly as it states it, such as https://github.com",
] as const;
const SUBJECT = ['--subject <id>', "the person's id there, as the sign-in page shows it"] as const;

/** Adds `identities add|list|remove`, which manage the people who can sign in to an account. */
export function addIdentityCommands(program: Command): void {
  const identities = program
    .command('identities')
    .description('people of identity providers, and the accounts to which they can sign in');
  addIdentityChange(identities, 'add', {
    description: 'allow a person to sign in to an account; an account can have several people',
    load: async () => (await import('../accounts/sign-in/sign-in-identity.ts')).addIdentity,
    outcome: 'signs in to',
  });
  addIdentityList(identities);
  addIdentityChange(identities, 'remove', {
    description: 'stop a person from signing in to an account; open sessions stay open',
    load: async () => (await import('../accounts/sign-in/sign-in-identity.ts')).removeIdentity,
    outcome: 'no longer signs in to',
  });
}

interface IdentityChange {
  description: string;
  load: () => Promise<(database: Database, accountId: string, identity: Identity) => Promise<void>>;
  /** Text between the person and the account in the printed sentence, such as "signs in to". */
  outcome: string;
}

function addIdentityChange(
  identities: Command,
  name: string,
  { description, load, outcome }: IdentityChange,
): void {
  identities
    .command(name)
    .description(description)
    .requiredOption(...ACCOUNT)
    .requiredOption(...ISSUER)
    .requiredOption(...SUBJECT)
    .action(({ account, ...identity }: Identity & { account: string }) =>
      withDatabase(async ({ database }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { id, handle } = await requireAccountByName(database, account);
        const change = await load();
        await change(database, id, identity);
        print(`${identity.subject} of ${identity.issuer} ${outcome} ${handle ?? id}`);
      }),
    );
}

function addIdentityList(identities: Command): void {
  identities
    .command('list')
    .description('list the people who can sign in to an account')
    .requiredOption(...ACCOUNT)
    .action((options: { account: string }) =>
      withDatabase(async ({ database }) => {
        const { listIdentities } = await import('../accounts/sign-in/sign-in-identity.ts');
        const rows = await listIdentities(database, options.account);
        if (rows.length === 0) print('no one; the owner can still sign in with a sign-in link');
        printTable(
          rows.map(({ issuer, subject, createdBy, createdAt }) => ({
            issuer,
            subject,
            created_by: createdBy,
            created_at: createdAt,
          })),
        );
      }),
    );
}
