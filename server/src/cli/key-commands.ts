import type { Command } from 'commander';
import type { CreatedKey } from '../access/keys/create-key.ts';
import { KEY_SCOPES } from '../platform/http/credentials/principal.ts';
import { print, printTable, type Tools, withDatabase } from './with-database.ts';

const ACCOUNT = ['--account <handle>', 'handle or id of the account'] as const;
const KEY = ['--key <id>', 'id of the key'] as const;
const EXPIRES = ['--expires <moment>', 'expiry: ISO 8601 date and time with time zone'] as const;

interface OneKey {
  account: string;
  key: string;
}

/**
 * Adds `keys create|list|pause|resume|revoke|replace`. `create` and `replace` open a console session of the account
 * for the duration of the command.
 */
export function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('access keys: create, list, pause, replace and revoke them');
  addCreate(keys);
  addReplace(keys);
  keys
    .command('list')
    .description('list the keys of an account; a secret cannot be shown again')
    .requiredOption(...ACCOUNT)
    .action((options: { account: string }) =>
      withDatabase(async ({ database }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { listKeys } = await import('../access/keys/list-keys.ts');
        const rows = await listKeys(database, (await requireAccountByName(database, options.account)).id);
        if (rows.length === 0) print('no keys');
        printTable(rows.map((row) => ({ ...row, scopes: row.scopes.join(',') })));
      }),
    );
  addStates(keys);
}

interface CreateOptions {
  account: string;
  name: string;
  scopes: string;
  expires?: string;
}

function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('create an access key; its secret is shown only once')
    .requiredOption(...ACCOUNT)
    .option('--name <name>', 'what the key is for', 'made by the operator')
    .option('--scopes <list>', 'comma-separated scopes', KEY_SCOPES.join(','))
    .option(...EXPIRES)
    .action(({ account, name, scopes, expires }: CreateOptions) =>
      withSession(account, async ({ database, planBook }, sessionId) => {
        const { createKey } = await import('../access/keys/create-key.ts');
        return createKey(database, planBook, {
          sessionId,
          name,
          scopes: scopes.split(',').map((scope) => scope.trim()),
          expiresAt: expires ?? null,
        });
      }),
    );
}

function addReplace(keys: Command): void {
  keys
    .command('replace')
    .description('revoke a key and create another with its scopes; the secret is shown only once')
    .requiredOption(...ACCOUNT)
    .requiredOption(...KEY)
    .option('--name <name>', "name of the new key; by default the old key's")
    .option(...EXPIRES)
    .action(({ account, key, name, expires }: OneKey & { name?: string; expires?: string }) =>
      withSession(account, async ({ database, planBook }, sessionId) => {
        const { replaceKey } = await import('../access/keys/create-key.ts');
        return replaceKey(database, planBook, {
          sessionId,
          replacesKeyId: key,
          name: name ?? null,
          expiresAt: expires ?? null,
        });
      }),
    );
}

function addStates(keys: Command): void {
  keys
    .command('pause')
    .description(
      "refuse a key until it is resumed, effective at once; it no longer counts towards the plan's limit",
    )
    .requiredOption(...ACCOUNT)
    .requiredOption(...KEY)
    .action(({ account, key }: OneKey) =>
      withDatabase(async ({ database }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { pauseKey } = await import('../access/keys/own-keys.ts');
        await pauseKey(database, (await requireAccountByName(database, account)).id, key);
        print(`paused ${key}`);
      }),
    );
  keys
    .command('resume')
    .description("resume a paused key, if the plan's limit allows it")
    .requiredOption(...ACCOUNT)
    .requiredOption(...KEY)
    .action(({ account, key }: OneKey) =>
      withDatabase(async ({ database, planBook }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { resumeKey } = await import('../access/keys/own-keys.ts');
        await resumeKey(database, planBook, (await requireAccountByName(database, account)).id, key);
        print(`resumed ${key}`);
      }),
    );
  keys
    .command('revoke')
    .description('revoke an access key permanently, effective at once')
    .requiredOption(...ACCOUNT)
    .requiredOption(...KEY)
    .action((options: OneKey) =>
      withDatabase(async ({ database }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { revokeKey } = await import('../access/keys/own-keys.ts');
        await revokeKey(database, await requireAccountByName(database, options.account), options.key);
        print(`revoked ${options.key}`);
      }),
    );
}

/** Creates a key in a console session of the account on the operator's behalf, and prints its secret. */
function withSession(
  account: string,
  make: (tools: Tools, sessionId: string) => Promise<CreatedKey>,
): Promise<void> {
  return withDatabase(async (tools) => {
    const { requireAccountByName } = await import('../access/callers/require-account.ts');
    const { withOperatorSession } = await import('../accounts/sign-in/sign-in-link.ts');
    const { id, handle, state } = await requireAccountByName(tools.database, account);
    if (state === 'suspended') {
      throw new Error(`${handle} is suspended. Resume it first: accounts resume --account ${handle}`);
    }
    const key = await withOperatorSession(tools.database, id, (sessionId) => make(tools, sessionId));
    print(`key ${key.id}`);
    print(`secret, shown only now: ${key.secret}`);
  });
}
