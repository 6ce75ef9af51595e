#!/usr/bin/env node
import { exitWithMessage, requireOpenFiles } from './platform/config/open-files.ts';

try {
  requireOpenFiles();
  // Loaded after the check, because loading fails in a process that may open too few files.
  const { createProgram } = await import('./cli/program.ts');
  const args = process.argv.slice(2);
  await createProgram().parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
} catch (error) {
  exitWithMessage(error);
}
