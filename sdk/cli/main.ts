#!/usr/bin/env node
import { createConfirm } from './confirm.ts';
import { EXIT } from './exit-code.ts';
import { runCommandLine } from './run.ts';

const interruption = new AbortController();
// The first Ctrl-C aborts the command; the second one ends the process by default.
process.once('SIGINT', () => interruption.abort());

// EPIPE is not a failure: a reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failure);
});

const exitCode = await runCommandLine(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  signal: interruption.signal,
  confirm: createConfirm(process),
});
process.exitCode = interruption.signal.aborted ? EXIT.interrupted : exitCode;
