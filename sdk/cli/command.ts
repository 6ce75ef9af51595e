import type { TrustDirectory } from '../src/index.ts';
import type { ExitCode } from './exit-code.ts';
import type { Output } from './output.ts';

/** What the process is started with. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An option of a command. */
export interface OptionSpec {
  /** Placeholder of its value; absent where it takes none. */
  readonly value?: string;
  /** Known words for the value, for completion. The service decides what it takes. */
  readonly words?: readonly string[];
  /** What it does, in a few words. */
  readonly means: string;
}

/** The options that were given, by name without the dashes. */
export type GivenOptions = Readonly<Record<string, string | boolean | undefined>>;

/** What a command works with. */
export interface Invocation {
  readonly options: GivenOptions;
  /** Everything that is not an option. */
  readonly words: readonly string[];
  readonly output: Output;
  readonly environment: Environment;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** The SDK's client with the caller's settings. Throws a CommandError where those can't be used. */
  client(): Promise<TrustDirectory>;
  /** The same, where a key is needed. */
  clientWithKey(): Promise<TrustDirectory>;
  /** Asks a yes-or-no question; false without a yes. Null where there is nobody to ask. */
  readonly confirm: ((question: string) => Promise<boolean>) | null;
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** What stands after the name. */
  readonly takes: string;
  /** How many words it takes. */
  readonly count: readonly [least: number, most: number];
  /** Words that may stand there, for completion. */
  readonly words?: readonly string[];
  /** What it does, in one sentence. */
  readonly summary: string;
  /** More of it; paragraphs. */
  readonly details?: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Command lines with what they are for. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  run(invocation: Invocation): Promise<ExitCode>;
}
