import type { Command } from 'commander';
import { printTable } from './print-table.ts';
import { print, withDatabase } from './with-database.ts';

const LISTING = ['<listing>', 'AGT- id, canonical id, repository or any other name of it'] as const;

/** `listings delist|relist|delisted`. */
export function addListingCommands(program: Command): void {
  const listings = program.command('listings').description('take listings out of the directory, and back in');
  listings
    .command('delist')
    .description('take a listing out; its page and API say 410 and why, scores and receipts stay')
    .argument(...LISTING)
    .requiredOption('--reason <text>', 'one line, shown in public')
    .action((text: string, { reason }: { reason: string }) =>
      withDatabase(async ({ config, database }) => {
        const { delistListing } = await import('../directory/delisting/delist-listing.ts');
        const { createNaming } = await import('../subjects/naming.ts');
        const naming = createNaming(config.publicUrl, config.repositoryHosts);
        const { agentId, host, repository } = await delistListing(database, { text, reason, naming });
        print(`${agentId} ${host}/${repository} is delisted; listings relist ${agentId} brings it back`);
      }),
    );
  listings
    .command('relist')
    .description('bring a delisted listing back as it was, under its old ids')
    .argument(...LISTING)
    .action((text: string) =>
      withDatabase(async ({ config, database }) => {
        const { relistListing } = await import('../directory/delisting/relist-listing.ts');
        const { createNaming } = await import('../subjects/naming.ts');
        const naming = createNaming(config.publicUrl, config.repositoryHosts);
        const { agentId, host, repository } = await relistListing(database, text, naming);
        print(`${agentId} ${host}/${repository} is listed again; it is scored anew within a minute`);
      }),
    );
  listings
    .command('delisted')
    .description('list what was delisted, when and why, the latest first')
    .action(() =>
      withDatabase(async ({ database }) => {
        const { listDelistings } = await import('../directory/delisting/list-delistings.ts');
        const delistings = await listDelistings(database);
        if (delistings.length === 0) print('nothing was delisted');
        printTable(
          delistings.map(({ agentId, host, repository, day, relistedOn, reason }) => ({
            id: agentId,
            repository: `${host}/${repository}`,
            delisted: day,
            relisted: relistedOn,
            reason,
          })),
        );
      }),
    );
}
