import { exitWithMessage, requireOpenFiles } from './platform/config/open-files.ts';

try {
  requireOpenFiles();
  const demo = wantsDemo(process.argv.slice(2));
  // Loaded after the check, because loading fails in a process that may open too few files.
  const { serve } = await import('./serve.ts');
  await serve({ demo });
} catch (error) {
  exitWithMessage(error);
}

function wantsDemo(args: readonly string[]): boolean {
  const unknown = args.find((arg) => arg !== '--demo');
  if (unknown)
    throw new Error(`The server does not know the argument ${unknown}. Use --demo, or no argument.`);
  return args.includes('--demo');
}
