import type { Command } from 'commander';
import { print, printTable, withDatabase } from './with-database.ts';

const ACCOUNT = ['--account <handle>', 'handle or id of the account'] as const;

/** Adds the commands `creators verify|list|remove|handle`. */
export function addCreatorCommands(program: Command): void {
  const creators = program.command('creators').description('proved external accounts of creators');
  addVerify(creators);
  addList(creators);
  addRemove(creators);
  creators
    .command('handle')
    .description('change the creator handle of an account: to a free one, or one of a creator that it owns')
    .requiredOption(...ACCOUNT)
    .requiredOption('--handle <handle>', 'the new handle')
    .action((options: { account: string; handle: string }) =>
      withDatabase(async ({ database }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { inRegistryTransaction } = await import('../catalog/registry-locks.ts');
        const { setHandle } = await import('../ownership/handles/choose-handle.ts');
        const { id } = await requireAccountByName(database, options.account);
        await inRegistryTransaction(database, (connection) => setHandle(connection, id, options.handle));
        print(`${options.account} is ${options.handle} now`);
      }),
    );
}

interface VerifyOptions {
  account: string;
  kind: string;
  host: string;
  handle: string;
  evidence: string;
  id?: string;
}

function addVerify(creators: Command): void {
  creators
    .command('verify')
    .description('confirm that an account owns an external account; lapses 60 days after the last check')
    .requiredOption(...ACCOUNT)
    .requiredOption('--kind <kind>', 'repo_host, node_packages, python_packages, professional_network, …')
    .requiredOption('--host <host>', 'host of the account, such as github.com')
    .requiredOption('--handle <handle>', 'handle on that host')
    .requiredOption('--evidence <url>', 'http or https URL of the evidence')
    .option('--id <id>', "the host's own id of the account; by default it is read from the host")
    .action((options: VerifyOptions) =>
      withDatabase(async ({ config, database }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { createHosts } = await import('../hosts/create-hosts.ts');
        const { confirmAccount } = await import('../ownership/proofs/confirm-account.ts');
        const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
        const { kind, host, handle, evidence: evidenceUrl, id: hostAccountId = null } = options;
        const account = await requireAccountByName(database, options.account);
        const parts = { hosts: createHosts(config), backend: createScoringBackend(config) };
        try {
          const confirmation = { accountId: account.id, kind, host, handle, evidenceUrl, hostAccountId };
          const link = await confirmAccount(database, parts, confirmation);
          print(
            `${link.handle} on ${link.host} is proved for ${account.handle ?? account.id}, until ${link.countsUntil}`,
          );
        } finally {
          await parts.hosts.close();
          await parts.backend.close();
        }
      }),
    );
}

function addList(creators: Command): void {
  creators
    .command('list')
    .description('list the linked accounts of an account')
    .requiredOption(...ACCOUNT)
    .action((options: { account: string }) =>
      withDatabase(async ({ database }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { readLinks } = await import('../ownership/proofs/link-account.ts');
        const { id } = await requireAccountByName(database, options.account);
        const links = await readLinks(database, id);
        if (links.length === 0) print('no linked accounts');
        printTable(
          links.map(({ id, kind, host, handle, state, provedBy, countsUntil, evidenceUrl }) => ({
            id,
            kind,
            host,
            handle,
            state,
            proved_by: provedBy ?? '',
            counts_until: countsUntil ?? '',
            evidence: evidenceUrl ?? '',
          })),
        );
      }),
    );
}

function addRemove(creators: Command): void {
  creators
    .command('remove')
    .description('remove a linked account; values that depend on it return to those of the registry')
    .requiredOption(...ACCOUNT)
    .requiredOption('--id <id>', 'id of the link, as listed')
    .action((options: { account: string; id: string }) =>
      withDatabase(async ({ config, database }) => {
        const { requireAccountByName } = await import('../access/callers/require-account.ts');
        const { removeLinkedAccount } = await import('../ownership/proofs/link-account.ts');
        const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
        const { id: accountId } = await requireAccountByName(database, options.account);
        const backend = createScoringBackend(config);
        try {
          const lockRecentSignIn = async () => undefined;
          await removeLinkedAccount(database, { accountId, linkId: options.id, backend, lockRecentSignIn });
        } finally {
          await backend.close();
        }
        print(`removed ${options.id}`);
      }),
    );
}
