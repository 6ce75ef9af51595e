import type { Command } from 'commander';
import type { KeptJwk } from '../scoring/signing/signing-keys.ts';
import { print, printTable } from './with-database.ts';

/**
 * Adds `signing-key create|list|announce|rotate`, which manage the file of the keys that sign scores. They work without
 * a database, and never print a private key.
 */
export function addSigningKeyCommands(program: Command): void {
  const keys = program
    .command('signing-key')
    .description('keys that sign scores: create, list, announce and rotate them');
  keys
    .command('create')
    .description('create the key file (SIGNING_KEY_FILE) with a first key; an existing file stays as it is')
    .action(() =>
      withKeyFile(async (path) => {
        const { createKeyFile, readKeyFile } = await import('../scoring/signing/signing-key-file.ts');
        const existing = await readKeyFile(path);
        const [{ kid }] = existing ?? (await createKeyFile(path));
        print(`${existing ? 'kept' : 'created'} key ${kid} in ${path}`);
      }),
    );
  keys
    .command('list')
    .description('list the ids of the keys, and what each is for')
    .action(() =>
      withKeyFile(async (path) => {
        const { readKeyFile } = await import('../scoring/signing/signing-key-file.ts');
        const kept = await readKeyFile(path);
        if (!kept) throw new Error(`There is no ${path}. Create it with: signing-key create`);
        await printKeys(kept);
      }),
    );
  keys
    .command('announce')
    .description(
      'add a key that does not sign yet; restart every process, so that all publish it, then rotate',
    )
    .action(() => changeKeys('announceKey'));
  keys
    .command('rotate')
    .description(
      'make the announced key, or a new one, the one that signs after a restart; former keys verify for 8 more days',
    )
    .action(() => changeKeys('rotateKeys'));
}

/** Changes the key file and prints its keys. */
function changeKeys(change: 'announceKey' | 'rotateKeys'): Promise<void> {
  return withKeyFile(async (path) => {
    const file = await import('../scoring/signing/signing-key-file.ts');
    await printKeys(await file.changeKeyFile(path, (keys) => file[change](keys, new Date())));
    print('Restart every server process to use these keys.');
  });
}

/** Runs the work with the path of the key file. Throws if the keys are in SIGNING_KEY, which no command can change. */
async function withKeyFile(work: (path: string) => Promise<void>): Promise<void> {
  const { readConfig } = await import('../platform/config/process-config.ts');
  const { keyFileOf } = await import('../scoring/signing/open-signing-keys.ts');
  const config = readConfig();
  if (config.signingKey !== null)
    throw new Error(
      'The keys are in SIGNING_KEY, which takes precedence over a file. Unset it for this command, and move its content to SIGNING_KEY_FILE to use a file.',
    );
  await work(keyFileOf(config));
}

async function printKeys(keys: readonly KeptJwk[]): Promise<void> {
  const { KEPT_AFTER_RETIREMENT_MS } = await import('../scoring/signing/signing-key-file.ts');
  const until = (moment: string) => new Date(Date.parse(moment) + KEPT_AFTER_RETIREMENT_MS).toISOString();
  printTable(
    keys.map(({ kid, announced_at, retired_at }, n) => ({
      key: kid,
      use: n === 0 ? 'signs' : announced_at === undefined ? 'verifies only' : 'announced',
      until: retired_at === undefined ? null : until(retired_at),
    })),
  );
}
