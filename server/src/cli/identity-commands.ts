import type { Command } from 'commander';
import type { Identity } from '../accounts/sign-in/sign-in-identity.ts';
import type { Database } from '../platform/database/connect.ts';
import { print, printTable, withDatabase } from './with-database.ts';

const ACCOUNT = ['--account <handle>', 'handle or id of the account'] as const;
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
  addChange(identities, 'add', {
    description: 'allow a person to sign in to an account; an account can have several people',
    load: async () => (await import('../accounts/sign-in/sign-in-identity.ts')).addIdentity,
    outcome: 'signs in to',
  });
  addList(identities);
  addChange(identities, 'remove', {
    description: 'stop a person from signing in to an account; open sessions stay open',
    load: async () => (await import('../accounts/sign-in/sign-in-identity.ts')).removeIdentity,
    outcome: 'no longer signs in to',
  });
}

interface Change {
  description: string;
  load: () => Promise<(database: Database, accountId: string, identity: Identity) => Promise<void>>;
  /** Text between the person and the account in the printed sentence, such as "can sign in to". */
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
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { id, handle } = await requireAccountByName(database, account);
        const change = await load();
        await change(database, id, identity);
        print(`${identity.subject} of ${identity.issuer} ${outcome} ${handle ?? id}`);
      }),
    );
}

function addList(identities: Command): void {
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
