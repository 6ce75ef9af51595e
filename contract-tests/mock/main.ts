import { OptionsError, readOptions } from './options.ts';
import { startMock } from './start-mock.ts';

const PORT_TAKEN = 'That port is taken. Choose another: npm run mock -- --port 4011';

/** Runs the mock until the process is told to stop. */
async function main(): Promise<void> {
  const mock = await startMock(readOptions(process.argv.slice(2), process.env));
  process.stdout.write(`The mock of openapi.yaml is ready at ${mock.url}

It answers with the contract's examples and keeps no data. Any bearer token will do.
Pick an answer with a header:  Prefer: code=402
or one of several examples:    Prefer: code=200, example=partial

`);
  const stop = () => {
    mock.close().then(() => process.exit(0), exitWith);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function exitWith(error: unknown): never {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const isForeseen = error instanceof OptionsError || code === 'EACCES' || code === 'EADDRNOTAVAIL';
  process.stderr.write(`${code === 'EADDRINUSE' ? PORT_TAKEN : isForeseen ? message : stack}\n`);
  process.exit(1);
}

await main().catch(exitWith);
