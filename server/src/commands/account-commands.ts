import type { Command } from 'commander';
import { listAccounts, requireAccount } from '../accounts/account.repository.ts';
import { createAccount } from '../accounts/create-account.ts';
import { grant } from '../ledger/grant.ts';
import { printTable } from './print-table.ts';
import { positiveInteger } from './read-option.ts';
import { print, withDatabase } from './with-database.ts';

const DEFAULT_GRANT_MONTHS = 24;

/** `accounts create|list` and `grant`. */
export function addAccountCommands(program: Command): void {
  const accounts = program.command('accounts').description('create and list accounts');
  accounts
    .command('create')
    .description('create an account with its creator handle')
    .requiredOption('--handle <handle>', 'creator handle, unique without regard to case')
    .option('--plan <plan>', 'one of the plans in plans.json', 'free')
    .action((options: { handle: string; plan: string }) =>
      withDatabase(async ({ database, planBook }) => {
        const account = await createAccount(database, planBook, options);
        print(`account ${account.id} (${account.handle}, plan ${account.plan})`);
      }),
    );
  accounts
    .command('list')
    .description('list accounts with their plan and active keys')
    .action(() =>
      withDatabase(async ({ database }) => {
        const rows = await listAccounts(database);
        if (rows.length === 0) print('no accounts');
        printTable(
          rows.map(({ id, handle, plan, active_keys, created_at }) => ({
            id,
            handle,
            plan,
            active_keys,
            created_at,
          })),
        );
      }),
    );
  addGrantCommand(program);
}

interface GrantOptions {
  account: string;
  credits: number;
  source: string;
  months: number;
  note: string;
}

function addGrantCommand(program: Command): void {
  program
    .command('grant')
    .description('give an account credits; every grant is a ledger entry')
    .requiredOption('--account <handle>', 'handle or id of the account')
    .requiredOption('--credits <number>', 'credits, 1 or more', positiveInteger)
    .option('--source <source>', 'gifted or purchased', 'gifted')
    .option('--months <number>', 'months until the grant expires', positiveInteger, DEFAULT_GRANT_MONTHS)
    .option('--note <text>', 'why, kept with the entry', '')
    .action((options: GrantOptions) =>
      withDatabase(async ({ database }) => {
        const { source, credits, months, note } = options;
        if (source !== 'gifted' && source !== 'purchased') throw new Error('--source is gifted or purchased');
        const account = await requireAccount(database, options.account);
        const { expiresAt } = await grant(database, { accountId: account.id, source, credits, months, note });
        print(`${credits} ${source} credits for ${account.handle}, until ${expiresAt}`);
      }),
    );
}
