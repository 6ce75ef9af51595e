import { runCommandLine } from '../cli/run.ts';

/** Output and exit code of a command line. */
export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a run. */
export interface CommandRunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Response to every confirmation; without it there is no terminal. */
  readonly answer?: boolean;
  /** Columns of the terminal; without them the output is no terminal. */
  readonly columns?: number;
}

/** Runs a command line in this process, without a config file unless the environment sets one. */
export async function runCommand(
  args: readonly string[],
  { environment = {}, answer, columns }: CommandRunOptions = {},
): Promise<CommandRun> {
  const printed = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof printed) => ({
    isTTY: columns !== undefined,
    columns,
    write(text: string) {
      printed[name] += text;
    },
  });
  const exitCode = await runCommandLine(args, {
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    environment: { XDG_CONFIG_HOME: '/nonexistent', ...environment },
    signal: new AbortController().signal,
    confirm: answer === undefined ? null : async () => answer,
  });
  return { exitCode, ...printed };
}
