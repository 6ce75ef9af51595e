import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built operator's command line, as shipped. */
const CLI = fileURLToPath(new URL('../dist/command-line/cli.js', import.meta.url));

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one operator's command in a new process. */
export function runCommand(
  args: readonly string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<CommandResult> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    const options = { env: { PATH, HOME, ...env }, ...(cwd && { cwd }) };
    execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}
