import type { Command } from 'commander';

/** `scoring`: serves the embedded method over HTTP, for servers whose SCORING_URL leads here. It needs no database. */
export function addScoringCommand(program: Command): void {
  program
    .command('scoring')
    .description('serve the embedded scoring method over HTTP, for SCORING_URL of other servers')
    .action(async () => {
      const { serveScoring } = await import('../scoring-process/serve-scoring.ts');
      await serveScoring();
    });
}
