import { type Command, Option } from 'commander';
import { printTable } from './print-table.ts';
import { print, withDatabase } from './with-database.ts';

/** `claims list|decide`. */
export function addClaimCommands(program: Command): void {
  const claims = program
    .command('claims')
    .description('listings that wait, since the ids of their hosts do not tell whose they are');
  claims
    .command('list')
    .description('list open claims: who claims what, and why it waits')
    .action(() =>
      withDatabase(async ({ database }) => {
        const { findOpenClaims } = await import('../proofs/open-claims.ts');
        const { describeReason } = await import('../proofs/claim-reasons.ts');
        const open = await findOpenClaims(database);
        if (open.length === 0) print('no open claims');
        printTable(
          open.map(({ id, agentId, host, repository, claimant, handle, createdAt, reason }) => ({
            id,
            listing: agentId,
            repository: `${host}/${repository}`,
            claimant,
            proved: handle,
            since: createdAt.slice(0, 10),
            reason: describeReason(reason),
          })),
        );
      }),
    );
  claims
    .command('decide')
    .description('give a claimed listing to the claimant, or refuse the claim')
    .requiredOption('--id <id>', 'id of the claim, as listed')
    .addOption(
      new Option('--decision <decision>', 'what to do').choices(['give', 'refuse']).makeOptionMandatory(),
    )
    .action(({ id, decision }: { id: string; decision: 'give' | 'refuse' }) =>
      withDatabase(async ({ config, database }) => {
        const { createHosts } = await import('../hosts/hosts.ts');
        const { decideClaim } = await import('../proofs/decide-claim.ts');
        const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
        const parts = { hosts: createHosts(config), backend: createScoringBackend(config) };
        try {
          const { agentId, claimant } = await decideClaim(database, parts, { id, decision });
          print(
            decision === 'give' ? `${agentId} is ${claimant}'s now` : `${claimant} does not get ${agentId}`,
          );
        } finally {
          await parts.hosts.close();
          await parts.backend.close();
        }
      }),
    );
}
