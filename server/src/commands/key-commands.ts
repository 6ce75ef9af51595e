import type { Command } from 'commander';
import { requireAccount } from '../accounts/account.repository.ts';
import { withOperatorSession } from '../accounts/operator-session.ts';
import { createKey } from '../keys/create-key.ts';
import { listKeys, revokeKey } from '../keys/key.repository.ts';
import { KEY_SCOPES } from '../keys/principal.ts';
import { printTable } from './print-table.ts';
import { futureMoment } from './read-option.ts';
import { print, withDatabase } from './with-database.ts';

interface CreateOptions {
  account: string;
  name: string;
  scopes: string;
  expires?: string;
}

/** `keys create|list|revoke`. Creating opens a console session of the account on the operator's authority. */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke access keys');
  keys
    .command('create')
    .description('create an access key; its secret is shown this once')
    .requiredOption('--account <handle>', 'handle or id of the account')
    .option('--name <name>', 'what the key is for', 'made by the operator')
    .option('--scopes <list>', 'comma-separated scopes', KEY_SCOPES.join(','))
    .option('--expires <moment>', 'ISO 8601 moment after which it is refused', futureMoment)
    .action((options: CreateOptions) =>
      withDatabase(async ({ database, planBook }) => {
        const account = await requireAccount(database, options.account);
        const scopes = options.scopes.split(',').map((scope) => scope.trim());
        const key = await withOperatorSession(database, account.id, (sessionId) =>
          createKey(database, planBook, {
            sessionId,
            name: options.name,
            scopes,
            expiresAt: options.expires ?? null,
          }),
        );
        print(`key ${key.id}`);
        print(`secret, shown only now: ${key.secret}`);
      }),
    );
  keys
    .command('list')
    .description('list the keys of an account; a secret cannot be shown again')
    .requiredOption('--account <handle>', 'handle or id of the account')
    .action((options: { account: string }) =>
      withDatabase(async ({ database }) => {
        const rows = await listKeys(database, (await requireAccount(database, options.account)).id);
        if (rows.length === 0) print('no keys');
        printTable(rows.map((row) => ({ ...row, scopes: row.scopes.join(',') })));
      }),
    );
  keys
    .command('revoke')
    .description('revoke an access key for good, effective at once')
    .requiredOption('--account <handle>', 'handle or id of the account')
    .requiredOption('--key <id>', 'id of the key')
    .action((options: { account: string; key: string }) =>
      withDatabase(async ({ database }) => {
        const account = await requireAccount(database, options.account);
        if (!(await revokeKey(database, account.id, options.key))) {
          throw new Error(`${account.handle} has no key ${options.key} that could be revoked`);
        }
        print(`revoked ${options.key}`);
      }),
    );
}
