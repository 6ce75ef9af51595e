import { parseArgs } from 'node:util';
import { COMMON_OPTIONS, type Command, type OptionSpec, type ParsedOptions } from './command.ts';
import { CommandError, EXIT } from './exit-code.ts';

interface CommandLine {
  readonly options: ParsedOptions;
  readonly words: readonly string[];
}

/** Parses the arguments after a command's name. Throws a CommandError that says what is wrong. */
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
    if (!spec) throw wrong(command, `Unknown option ${token.rawName}.`);
    if (!spec.value && token.value !== undefined) throw wrong(command, `${token.rawName} takes no value.`);
    if (spec.value && !hasValue(token))
      throw wrong(command, `${token.rawName} needs a value: ${spec.value}.`);
  }
  if (!options.help) requireCount(command, words);
  return { options, words };
}

function parserOptions(specs: Readonly<Record<string, OptionSpec>>) {
  return Object.fromEntries(
    Object.entries(specs).map(([name, { value, isRepeatable = false }]) => [
      name,
      {
        type: value ? ('string' as const) : ('boolean' as const),
        multiple: isRepeatable,
        ...(name === 'help' && { short: 'h' }),
      },
    ]),
  );
}

/** Returns whether an option has a value. The next option is not a value, though parseArgs may take it as one. */
function hasValue({ value, inlineValue }: { value?: string | undefined; inlineValue?: boolean | undefined }) {
  return value !== undefined && value !== '' && (inlineValue === true || !/^--?[a-z]/.test(value));
}

function requireCount(command: Command, words: readonly string[]): void {
  const [least, most] = command.argumentCount;
  if (words.length < least) throw wrong(command, `${command.name} needs ${command.argument}.`);
  if (words.length > most) {
    const extra = JSON.stringify(words[most]);
    throw wrong(command, `${extra} is an unexpected argument. Quote a name with spaces.`);
  }
  // An unset shell variable gives an empty argument.
  if (words.some((word) => word.trim() === ''))
    throw wrong(
      command,
      `${command.argument ?? 'The word'} is empty. Check the variable that should hold it.`,
    );
}

function wrong(command: Command, sentence: string): CommandError {
  return new CommandError(EXIT.usage, `${sentence} See: trust-directory ${command.name} --help`);
}

/** Reads an option as a whole number from 1; undefined without it. Throws a CommandError for another value. */
export function countOption(options: ParsedOptions, name: string): number | undefined {
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

/** Reads an option as text; undefined without it. */
export function textOption(options: ParsedOptions, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Reads a repeatable option; an empty list without it. */
export function listOption(options: ParsedOptions, name: string): readonly string[] {
  const value = options[name];
  return typeof value === 'object' ? value : [];
}
