import { vi } from 'vitest';
import { createProgram } from '../src/cli/program.ts';
import { exitWithMessage } from '../src/platform/config/open-files.ts';
import type { CommandResult } from './run-command.ts';

/** Thrown in place of exiting the process. */
class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/**
 * Runs one operator's command in this process, in a tenth of the time of a new process. Tests with `runCommand` show
 * that the shipped command line behaves the same.
 */
export async function runCommandHere(
  args: readonly string[],
  env: Record<string, string>,
): Promise<CommandResult> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const stdout = catchWrites(process.stdout);
  const stderr = catchWrites(process.stderr);
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Exit(Number(code ?? 0));
  });
  try {
    const code = await endOf(() => createProgram().parseAsync(args, { from: 'user' }));
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    for (const each of [stdout, stderr, exit]) each.mockRestore();
    process.exitCode = undefined;
    vi.unstubAllEnvs();
  }
}

/** Returns the exit code that the process would have. */
async function endOf(work: () => Promise<unknown>): Promise<number> {
  try {
    await work().catch(endAs);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
}

function endAs(error: unknown): never {
  if (error instanceof Exit) throw error;
  return exitWithMessage(error);
}

function catchWrites(stream: NodeJS.WriteStream) {
  const parts: string[] = [];
  const write = vi.spyOn(stream, 'write').mockImplementation((part) => {
    parts.push(String(part));
    return true;
  });
  return { text: () => parts.join(''), mockRestore: () => write.mockRestore() };
}
