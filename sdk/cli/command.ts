import type { TrustDirectory } from '../src/index.ts';
import type { ExitCode } from './exit-code.ts';
import type { Output } from './output.ts';

/** Environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface OptionSpec {
  /** Placeholder of its value; absent for a flag. */
  readonly value?: string;
  /** Known values, for shell completion and the help. The parser accepts other values, too. */
  readonly words?: readonly string[];
  /** True if the option may be given several times. */
  readonly isRepeatable?: true;
  /** Short description for the help. */
  readonly description: string;
}

/** Parsed options by name, without dashes; a list for a repeatable option. */
export type ParsedOptions = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Input of a command. */
export interface Invocation {
  readonly options: ParsedOptions;
  /** Positional arguments of the command. */
  readonly words: readonly string[];
  readonly output: Output;
  readonly environment: Environment;
  /** Signal that Ctrl-C aborts. */
  readonly signal: AbortSignal;
  /** Opens the SDK's client. Rejects with a CommandError if a setting of the caller is invalid or missing. */
  client(): Promise<TrustDirectory>;
  /** Opens the client; also rejects without an access key. */
  clientWithKey(): Promise<TrustDirectory>;
  /** Asks for confirmation; null without a terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | null;
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** Placeholder of the positional arguments, for help. */
  readonly argument: string;
  /** Minimum and maximum number of positional arguments. */
  readonly argumentCount: readonly [minimum: number, maximum: number];
  /** Known positional arguments, for completion. */
  readonly words?: readonly string[];
  /** One-sentence description for the help. */
  readonly summary: string;
  /** Further paragraphs of the help. */
  readonly details?: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Example command lines with their purpose. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  run(invocation: Invocation): Promise<ExitCode>;
}

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: { description: 'print the response of the service as JSON' },
  url: { value: 'URL', description: 'address of the service' },
  'no-color': { description: 'print without colours' },
  'mock-code': { value: 'STATUS', description: 'request this status from the mock' },
  'mock-example': { value: 'NAME', description: 'request this example of the contract from the mock' },
  'mock-delay': { value: 'MS', description: 'delay the response of the mock by milliseconds' },
  help: { description: 'show this help' },
};
