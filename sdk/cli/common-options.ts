import type { OptionSpec } from './command.ts';

/** Options that every command takes. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: { means: 'print JSON, as the service answered it' },
  url: { value: 'URL', means: 'where the service answers' },
  'no-color': { means: 'print without colours' },
  'mock-code': { value: 'STATUS', means: 'ask a mock for this status' },
  'mock-example': { value: 'NAME', means: 'ask a mock for this example of the contract' },
  'mock-delay': { value: 'MS', means: 'have a mock wait so many milliseconds' },
  help: { means: 'say what the command does' },
};
