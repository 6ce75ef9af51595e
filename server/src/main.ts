import { exitWith } from './exit-with.ts';
import { requireOpenFiles } from './open-files.ts';

try {
  requireOpenFiles();
  const demo = wantsDemo(process.argv.slice(2));
  // Loaded only now: it takes more open files than some processes may have.
  const { serve } = await import('./serve.ts');
  await serve({ demo });
} catch (error) {
  exitWith(error);
}

function wantsDemo(args: readonly string[]): boolean {
  const unknown = args.find((arg) => arg !== '--demo');
  if (unknown) throw new Error(`The server does not know the argument ${unknown}. It takes --demo, or none.`);
  return args.includes('--demo');
}
