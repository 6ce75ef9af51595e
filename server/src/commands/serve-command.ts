import type { Command } from 'commander';

/** `serve`: runs the server until it is told to stop. It is also what no command at all means. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('start the server (default)')
    .option('--demo', 'add the sample listings and the demo account to a database of your own')
    .action(async ({ demo = false }: { demo?: boolean }) => {
      const { serve } = await import('../serve.ts');
      await serve({ demo });
    });
}
