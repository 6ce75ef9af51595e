import type { Command } from 'commander';
import { print, printTable, withDatabase } from './with-database.ts';

const LISTING = ['<listing>', 'AGT- id, canonical id, repository or any other name of it'] as const;

/** Adds the commands `listings delist|relist|delisted`. */
export function addListingCommands(program: Command): void {
  const listings = program
    .command('listings')
    .description('remove listings from the directory, and restore them');
  listings
    .command('delist')
    .description('remove a listing; its page and API answer 410 with the reason, scores and receipts stay')
    .argument(...LISTING)
    .requiredOption('--reason <text>', 'one line, shown in public')
    .action((text: string, { reason }: { reason: string }) =>
      withDatabase(async ({ config, database }) => {
        const { delistListing } = await import('../directory/delisting/delist-listing.ts');
        const { createPublicUrls } = await import('../catalog/subjects/public-path.ts');
        const publicUrls = createPublicUrls(config.publicUrl, config.repositoryHosts);
        const { agentId, host, repository } = await delistListing(database, { text, reason, publicUrls });
        print(`${agentId} ${host}/${repository} is delisted; to restore it: listings relist ${agentId}`);
      }),
    );
  listings
    .command('relist')
    .description('restore a delisted listing with its old ids')
    .argument(...LISTING)
    .action((text: string) =>
      withDatabase(async ({ config, database }) => {
        const { relistListing } = await import('../directory/delisting/relist-listing.ts');
        const { createPublicUrls } = await import('../catalog/subjects/public-path.ts');
        const publicUrls = createPublicUrls(config.publicUrl, config.repositoryHosts);
        const { agentId, host, repository } = await relistListing(database, text, publicUrls);
        print(`${agentId} ${host}/${repository} is listed again; it will be scored within a minute`);
      }),
    );
  listings
    .command('delisted')
    .description('list delisted listings with date and reason, latest first')
    .action(() =>
      withDatabase(async ({ database }) => {
        const { listDelistings } = await import('../directory/delisting/relist-listing.ts');
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
