import { runCommandLine } from '../cli/run.ts';

/** What a command line printed, and the code it ended with. */
export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How it is run. */
export interface CommandRunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** What a person says to every question; without it, there is no terminal. */
  readonly answer?: boolean;
  /** Columns of a terminal; without them, the output goes elsewhere. */
  readonly columns?: number;
}

/** Runs a command line in this process. No config file is read unless the environment names one. */
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
