#!/usr/bin/env node
import { exitWith } from './exit-with.ts';
import { requireOpenFiles } from './open-files.ts';

try {
  requireOpenFiles();
  // Loaded only now: it takes more open files than some processes may have.
  const { createProgram } = await import('./commands/program.ts');
  await createProgram().parseAsync();
} catch (error) {
  exitWith(error);
}
