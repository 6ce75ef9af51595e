#!/usr/bin/env node
import { confirmOn } from './ask.ts';
import { EXIT } from './exit-code.ts';
import { runCommandLine } from './run.ts';

const interruption = new AbortController();
// The second Ctrl-C ends the process at once.
process.once('SIGINT', () => interruption.abort());

// A reader of the output may stop early, as `head` does: that is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failure);
});

const exitCode = await runCommandLine(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  signal: interruption.signal,
  confirm: confirmOn(process),
});
process.exitCode = interruption.signal.aborted ? EXIT.interrupted : exitCode;
