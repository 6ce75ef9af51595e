import type { Command } from 'commander';
import { requireAccount } from '../accounts/account.repository.ts';
import { listIdentities } from '../accounts/sign-in-identity.repository.ts';
import { addIdentity, removeIdentity } from '../accounts/sign-in-identity.ts';
import { printTable } from './print-table.ts';
import { print, withDatabase } from './with-database.ts';

const ACCOUNT = ['--account <handle>', 'handle or id of the account'] as const;
const ISSUER = [
  '--issuer <url>',
  'the provider, exactly as it calls itself, such as https://github.com',
] as const;
const SUBJECT = ['--subject <id>', "the person's id there, as the sign-in page tells it"] as const;

interface IdentityOptions {
  account: string;
  issuer: string;
  subject: string;
}

/** `identities add|list|remove`: which people of identity providers are let in to which account. */
export function addIdentityCommands(program: Command): void {
  const identities = program
    .command('identities')
    .description('people of identity providers, and the accounts that they are let in to');
  identities
    .command('add')
    .description('let a person sign in to an account')
    .requiredOption(...ACCOUNT)
    .requiredOption(...ISSUER)
    .requiredOption(...SUBJECT)
    .action(({ account, ...identity }: IdentityOptions) =>
      withDatabase(async ({ database }) => {
        const { id, handle } = await requireAccount(database, account);
        await addIdentity(database, id, identity);
        print(`${identity.subject} of ${identity.issuer} signs in to ${handle ?? id}`);
      }),
    );
  identities
    .command('list')
    .description('list the people who are let in to an account')
    .requiredOption(...ACCOUNT)
    .action((options: { account: string }) =>
      withDatabase(async ({ database }) => {
        const { id } = await requireAccount(database, options.account);
        const rows = await listIdentities(database, id);
        if (rows.length === 0) print('nobody; a sign-in link still lets its owner in');
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
  addRemove(identities);
}

function addRemove(identities: Command): void {
  identities
    .command('remove')
    .description('let a person sign in to an account no more; open sessions stay open')
    .requiredOption(...ACCOUNT)
    .requiredOption(...ISSUER)
    .requiredOption(...SUBJECT)
    .action(({ account, ...identity }: IdentityOptions) =>
      withDatabase(async ({ database }) => {
        const { id, handle } = await requireAccount(database, account);
        await removeIdentity(database, id, identity);
        print(`${identity.subject} of ${identity.issuer} signs in to ${handle ?? id} no more`);
      }),
    );
}
