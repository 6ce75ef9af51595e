import type { Command } from 'commander';
import type { Database } from '../database/connect.ts';
import type { Identity } from '../sign-in/sign-in-identity.ts';
import { printTable } from './print-table.ts';
import { print, withDatabase } from './with-database.ts';

const ACCOUNT = ['--account <handle>', 'handle or id of the account'] as const;
const ISSUER = [
  '--issuer <url>',
  'the provider, exactly as it calls itself, such as https://github.com',
] as const;
const SUBJECT = ['--subject <id>', "the person's id there, as the sign-in page tells it"] as const;

/** `identities add|list|remove`: which people of identity providers are let in to which account. */
export function addIdentityCommands(program: Command): void {
  const identities = program
    .command('identities')
    .description('people of identity providers, and the accounts that they are let in to');
  addChange(identities, 'add', {
    description: 'let a person sign in to an account, one of any number',
    load: async () => (await import('../sign-in/sign-in-identity.ts')).addIdentity,
    outcome: 'signs in to',
  });
  addList(identities);
  addChange(identities, 'remove', {
    description: 'let a person sign in to an account no more; open sessions stay open',
    load: async () => (await import('../sign-in/sign-in-identity.ts')).removeIdentity,
    outcome: 'no longer signs in to',
  });
}

interface Change {
  description: string;
  load: () => Promise<(database: Database, accountId: string, identity: Identity) => Promise<void>>;
  /** Between the person and the account. */
  outcome: string;
}

function addChange(identities: Command, name: string, { description, load, outcome }: Change): void {
  identities
    .command(name)
    .description(description)
    .requiredOption(...ACCOUNT)
    .requiredOption(...ISSUER)
    .requiredOption(...SUBJECT)
    .action(({ account, ...identity }: Identity & { account: string }) =>
      withDatabase(async ({ database }) => {
        const { requireAccountCalled } = await import('../accounts/require-account.ts');
        const { id, handle } = await requireAccountCalled(database, account);
        const change = await load();
        await change(database, id, identity);
        print(`${identity.subject} of ${identity.issuer} ${outcome} ${handle ?? id}`);
      }),
    );
}

function addList(identities: Command): void {
  identities
    .command('list')
    .description('list the people who are let in to an account')
    .requiredOption(...ACCOUNT)
    .action((options: { account: string }) =>
      withDatabase(async ({ database }) => {
        const { listIdentities } = await import('../sign-in/sign-in-identity.ts');
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
