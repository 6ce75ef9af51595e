import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { TrustDirectoryError } from '../src/index.ts';
import type { Command, Environment } from './command.ts';
import { COMMANDS } from './commands.ts';
import { createErrorReport } from './error-report.ts';
import { CommandError, EXIT, type ExitCode } from './exit-code.ts';
import { commandHelp, programHelp } from './help-text.ts';
import { openClient } from './open-client.ts';
import { createOutput, type Output, type OutputStream } from './output.ts';
import { readCommandLine } from './read-command-line.ts';
import { type Page, paragraph } from './text/layout.ts';

/** Streams, environment and signals of the process. */
interface ProcessIo {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Environment;
  /** Signal that Ctrl-C aborts. */
  readonly signal: AbortSignal;
  readonly confirm: ((question: string) => Promise<boolean>) | null;
}

/** Runs a command line and returns the exit code. Prints errors as sentences; never throws. */
export async function runCommandLine(args: readonly string[], around: ProcessIo): Promise<ExitCode> {
  const { environment } = around;
  // Parsed before the command is known, so that errors of the command line respect --json and --no-color.
  const { values } = parseArgs({ args: [...args], strict: false });
  const output = createOutput(around, environment, {
    isJson: values.json === true,
    refusesColour: values['no-color'] === true,
  });
  try {
    return await dispatch(args, around, output);
  } catch (failure) {
    const { exitCode } = createErrorReport(failure);
    printFailure(failure, output);
    if (environment.TRUST_DIRECTORY_DEBUG && failure instanceof Error)
      around.stderr.write(`${failure.stack}\n`);
    return exitCode;
  }
}

async function dispatch(args: readonly string[], around: ProcessIo, output: Output): Promise<ExitCode> {
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
  { environment, signal, confirm }: ProcessIo,
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
  if (name.startsWith('-')) throw new CommandError(EXIT.usage, `Put the command before ${name}.`);
  const names = COMMANDS.map((each) => each.name).join(', ');
  throw new CommandError(EXIT.usage, `Unknown command ${JSON.stringify(name)}. Commands: ${names}.`);
}

function printHelp(command: Command, output: Output): void {
  output.text((page) => commandHelp(command, page));
}

/** Prints an error to standard error; with `--json` as one JSON object on one line. */
function printFailure(failure: unknown, output: Output): void {
  const { exitCode, sentences } = createErrorReport(failure);
  if (!output.isJson) {
    output.aside(sentences, ([first = '', ...rest], page) => [
      ...paragraph(first, page, 'red'),
      // Don't wrap commands that users copy.
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

/** Reads the package's version; package.json is one folder up from the sources and from the build. */
function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
