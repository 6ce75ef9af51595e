import { parseArgs } from 'node:util';
import { TrustDirectoryError } from '../src/index.ts';
import type { Command, Environment } from './command.ts';
import { CommandError } from './command-error.ts';
import { COMMANDS } from './commands.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { reportOf } from './failure-text.ts';
import { commandHelp, programHelp } from './help-text.ts';
import { openClient } from './open-client.ts';
import { createOutput, type Output, type OutputStream } from './output.ts';
import { packageVersion } from './package-version.ts';
import { readCommandLine } from './read-command-line.ts';
import { type Page, paragraph } from './text/layout.ts';

/** The process as the program sees it. */
interface Surroundings {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Environment;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly confirm: ((question: string) => Promise<boolean>) | null;
}

/** Runs one command line and returns the code to end with. Every failure is printed as a sentence; nothing is thrown. */
export async function runCommandLine(args: readonly string[], around: Surroundings): Promise<ExitCode> {
  const { environment } = around;
  // Read before the command is known: what is wrong with a command line is printed in the same way.
  const { values } = parseArgs({ args: [...args], strict: false });
  const output = createOutput(around, environment, {
    isJson: values.json === true,
    refusesColour: values['no-color'] === true,
  });
  try {
    return await dispatch(args, around, output);
  } catch (failure) {
    const { exitCode } = reportOf(failure);
    printFailure(failure, output);
    if (environment.TRUST_DIRECTORY_DEBUG && failure instanceof Error)
      around.stderr.write(`${failure.stack}\n`);
    return exitCode;
  }
}

async function dispatch(args: readonly string[], around: Surroundings, output: Output): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === '--version') {
    output.result({ version: packageVersion() }, ({ version }) => [version]);
    return EXIT.ok;
  }
  const isHelp = name === 'help' || name === '--help' || name === '-h';
  if (isHelp && rest[0] !== undefined && !rest[0].startsWith('-')) {
    printHelp(commandNamed(rest[0]), output);
    return EXIT.ok;
  }
  if (isHelp || name === undefined) {
    const help = (page: Page) => programHelp(COMMANDS, packageVersion(), page);
    if (isHelp) output.text(help);
    else output.aside(null, (_, page) => help(page));
    return isHelp ? EXIT.ok : EXIT.usage;
  }
  return runCommand(commandNamed(name), rest, around, output);
}

async function runCommand(
  command: Command,
  args: readonly string[],
  { environment, signal, confirm }: Surroundings,
  output: Output,
): Promise<ExitCode> {
  const { options, words } = readCommandLine(command, args);
  if (options.help) {
    printHelp(command, output);
    return EXIT.ok;
  }
  const note = (line: string) => output.aside(line, (safe) => [safe]);
  const client = () => openClient(options, environment, false, note);
  const clientWithKey = () => openClient(options, environment, true, note);
  return command.run({ options, words, output, environment, signal, confirm, client, clientWithKey });
}

function commandNamed(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name);
  if (command) return command;
  if (name.startsWith('-')) throw new CommandError(EXIT.usage, `The command comes first, then ${name}.`);
  const names = COMMANDS.map((each) => each.name).join(', ');
  throw new CommandError(EXIT.usage, `There is no command ${JSON.stringify(name)}. There are: ${names}.`);
}

function printHelp(command: Command, output: Output): void {
  output.text((page) => commandHelp(command, page));
}

/** On standard error; with `--json` as one object on one line. */
function printFailure(failure: unknown, output: Output): void {
  const { exitCode, sentences } = reportOf(failure);
  if (!output.isJson) {
    output.aside(sentences, ([first = '', ...rest], page) => [
      ...paragraph(first, page, 'red'),
      // A line that people copy into a shell stays in one piece.
      ...rest.flatMap((each) => (each.startsWith('npm ') ? [each] : paragraph(each, page))),
    ]);
    return;
  }
  const known = failure instanceof TrustDirectoryError ? failure : {};
  const facts = { exitCode, message: sentences[0], ...detailsOf(known) };
  output.aside(facts, (safe) => [JSON.stringify(safe)]);
}

const DETAILS = ['status', 'code', 'requestId', 'ledgerId', 'retryAfterMs', 'candidates', 'idempotencyKey'];

function detailsOf(failure: object): object {
  const members = failure as Record<string, unknown>;
  return Object.fromEntries(DETAILS.filter((name) => name in members).map((name) => [name, members[name]]));
}
