import { parseArgs } from 'node:util';
import type { Command, GivenOptions, OptionSpec } from './command.ts';
import { CommandError } from './command-error.ts';
import { COMMON_OPTIONS } from './common-options.ts';
import { EXIT } from './exit-code.ts';

/** The command line of one command, read. */
interface CommandLine {
  readonly options: GivenOptions;
  readonly words: readonly string[];
}

/** Reads what stands after a command's name. Throws a CommandError that says what is wrong with it. */
export function readCommandLine(command: Command, args: readonly string[]): CommandLine {
  const specs: Readonly<Record<string, OptionSpec>> = { ...COMMON_OPTIONS, ...command.options };
  const {
    tokens,
    values: options,
    positionals: words,
  } = parseArgs({ args: [...args], strict: false, tokens: true, options: parserOptions(specs) });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
    if (!spec) throw wrong(command, `There is no option ${token.rawName} here.`);
    if (!spec.value && token.value !== undefined) throw wrong(command, `${token.rawName} takes no value.`);
    if (spec.value && !hasValue(token))
      throw wrong(command, `${token.rawName} needs a value: ${spec.value}.`);
  }
  if (!options.help) requireCount(command, words);
  return { options, words };
}

function parserOptions(specs: Readonly<Record<string, OptionSpec>>) {
  return Object.fromEntries(
    Object.entries(specs).map(([name, { value }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), ...(name === 'help' && { short: 'h' }) },
    ]),
  );
}

/** An option at the end has no value; one right before another option has taken that as its value, unless `=` joins them. */
function hasValue({ value, inlineValue }: { value?: string | undefined; inlineValue?: boolean | undefined }) {
  return value !== undefined && value !== '' && (inlineValue === true || !/^--?[a-z]/.test(value));
}

function requireCount(command: Command, words: readonly string[]): void {
  const [least, most] = command.count;
  if (words.length < least) throw wrong(command, `${command.name} needs ${command.takes}.`);
  if (words.length > most) {
    const extra = JSON.stringify(words[most]);
    throw wrong(command, `${extra} is one word too many. Put a name with spaces in quotes.`);
  }
  // As from a shell's variable that is not set.
  if (words.some((word) => word.trim() === ''))
    throw wrong(
      command,
      `${command.takes ?? 'The word'} is empty. Name it, or set the variable that holds it.`,
    );
}

function wrong(command: Command, sentence: string): CommandError {
  return new CommandError(EXIT.usage, `${sentence} See: trust-directory ${command.name} --help`);
}

/** A whole number of at least 1 from an option; undefined where it wasn't given. Throws a CommandError. */
export function countOf(options: GivenOptions, name: string): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(String(text))) {
    throw new CommandError(
      EXIT.usage,
      `--${name} must be a whole number from 1, not ${JSON.stringify(text)}.`,
    );
  }
  return Number(text);
}

/** The text of an option; undefined where it wasn't given. */
export function textOf(options: GivenOptions, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}
