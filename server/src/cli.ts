#!/usr/bin/env node
import { exitWith } from './exit-with.ts';
import { requireOpenFiles } from './open-files.ts';

try {
  requireOpenFiles();
  // Loaded only now: it takes more open files than some processes may have.
  const { createProgram } = await import('./commands/program.ts');
  const args = process.argv.slice(2);
  await createProgram().parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
} catch (error) {
  exitWith(error);
}
