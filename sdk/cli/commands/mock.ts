import { once } from 'node:events';
import { PrismMissingError } from '../../mock/load-prism.ts';
import type { Mock, MockOptions } from '../../mock/start-mock.ts';
import type { Command, Environment, ParsedOptions } from '../command.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { textOption } from '../read-command-line.ts';
import { type Page, paragraph } from '../text/layout.ts';

/** Runs a mock server that responds with the contract's examples. */
export const mock: Command = {
  name: 'mock',
  argument: '',
  argumentCount: [0, 0],
  summary: 'Run a mock server that responds with the examples of the contract and stores no data.',
  details: [
    'It runs until Ctrl-C or SIGTERM and accepts any access key. It needs Prism, which you install with this package.',
    'The header Prefer, or the SDK’s mocked(…), selects the response: code=402; code=200, example=partial; delay=3000 (milliseconds).',
  ],
  options: {
    port: {
      value: 'PORT',
      description: 'port to listen on, 4010 by default; 0 for any free port (MOCK_PORT)',
    },
    host: { value: 'HOST', description: 'address to listen on, 127.0.0.1 by default (HOST)' },
  },
  examples: [
    ['trust-directory mock', 'On port 4010'],
    ['trust-directory mock --port 0 --json', 'On any free port; prints the URL as JSON'],
    ["curl -H 'Prefer: code=404' http://127.0.0.1:4010/api/agents/AGT-7K2MQ9XD", 'Request an error'],
  ],
  async run({ options, environment, output, signal }) {
    const running = await start(listenOptions(options, environment));
    output.result({ url: running.url }, readyLines);
    const stopped = stopSignal(signal);
    try {
      return await stopped;
    } finally {
      await running.close();
    }
  },
};

/**
 * Returns host and port: from the command line, the environment or the defaults. Throws a CommandError for an invalid
 * port.
 */
export function listenOptions(options: ParsedOptions, { MOCK_PORT, HOST }: Environment): MockOptions {
  const port = textOption(options, 'port') ?? (MOCK_PORT || '4010');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new CommandError(
      EXIT.usage,
      `The port must be a number from 0 to 65535, not ${JSON.stringify(port)}.`,
    );
  }
  return { host: textOption(options, 'host') ?? (HOST || '127.0.0.1'), port: Number(port) };
}

async function start(options: MockOptions): Promise<Mock> {
  // Loaded on demand: it contains an HTTP server, which no other command needs.
  const { startMock } = await import('../../mock/start-mock.ts');
  try {
    return await startMock(options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof PrismMissingError) throw new CommandError(EXIT.usage, message);
    if (code === 'EADDRINUSE') {
      const other = `Choose another: --port ${options.port < 65_535 ? options.port + 1 : 4010}.`;
      throw new CommandError(EXIT.usage, `Port ${options.port} is taken. ${other}`);
    }
    if (['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'].includes(code ?? '')) {
      throw new CommandError(
        EXIT.usage,
        `The mock can't listen on ${options.host}, port ${options.port} (${code}).`,
      );
    }
    throw error;
  }
}

function readyLines({ url }: { url: string }, page: Page): string[] {
  return [
    ...paragraph(`The mock of the contract is ready at ${url}`, page, 'bold'),
    '',
    ...paragraph(
      'It responds with the examples of openapi.yaml and stores no data. It accepts any access key.',
      page,
    ),
    ...paragraph('Select a response with a header:  Prefer: code=402', page),
    ...paragraph('or one of several examples:  Prefer: code=200, example=partial', page),
    ...paragraph('or delay it:  Prefer: delay=3000', page),
  ];
}

/** Waits for Ctrl-C or SIGTERM; returns the exit code. */
async function stopSignal(interruption: AbortSignal): Promise<typeof EXIT.ok | typeof EXIT.interrupted> {
  const done = new AbortController();
  const { signal } = done;
  try {
    return await Promise.race([
      interruption.aborted
        ? EXIT.interrupted
        : once(interruption, 'abort', { signal }).then(() => EXIT.interrupted),
      once(process, 'SIGTERM', { signal }).then(() => EXIT.ok),
    ]);
  } finally {
    done.abort();
  }
}
