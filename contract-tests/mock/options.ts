import { parseArgs } from 'node:util';

/** Where the mock listens. */
export interface MockOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** Options that can't be used; the message says what to write instead. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

const USAGE = 'Usage: npm run mock -- [--port 4010] [--host 127.0.0.1]';

/** Reads the command line, then MOCK_PORT and HOST, then the defaults. Throws an OptionsError. */
export function readOptions(
  commandLine: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): MockOptions {
  const given = parse(commandLine);
  const port = given.port ?? environment.MOCK_PORT ?? '4010';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new OptionsError(`The port must be a number from 0 to 65535, not ${JSON.stringify(port)}.`);
  }
  return { host: given.host ?? environment.HOST ?? '127.0.0.1', port: Number(port) };
}

function parse(commandLine: readonly string[]): { port?: string; host?: string } {
  try {
    const options = { port: { type: 'string' }, host: { type: 'string' } } as const;
    return parseArgs({ args: [...commandLine], options }).values;
  } catch (error) {
    throw new OptionsError(`${(error as Error).message}\n${USAGE}`);
  }
}
