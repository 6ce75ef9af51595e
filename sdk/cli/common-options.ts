import type { OptionSpec } from './command.ts';

/** Options that every command takes. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: { means: 'print the JSON that the service answered' },
  url: { value: 'URL', means: 'address of the service' },
  'no-color': { means: 'print without colours' },
  'mock-code': { value: 'STATUS', means: 'ask a mock for this status' },
  'mock-example': { value: 'NAME', means: 'ask a mock for this example of the contract' },
  'mock-delay': { value: 'MS', means: 'make a mock wait this many milliseconds' },
  help: { means: 'show this help' },
};
