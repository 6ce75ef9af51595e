import { expect, it } from 'vitest';
import { OptionsError, readOptions } from './options.ts';

it('listens on port 4010 of this machine unless told otherwise', () => {
  expect(readOptions([], {})).toEqual({ host: '127.0.0.1', port: 4010 });
});

it('takes the command line before the environment', () => {
  const environment = { MOCK_PORT: '5000', HOST: '::1' };

  expect(readOptions([], environment)).toEqual({ host: '::1', port: 5000 });
  expect(readOptions(['--port', '6000', '--host=0.0.0.0'], environment)).toEqual({
    host: '0.0.0.0',
    port: 6000,
  });
});

it.each([[['--port', 'many']], [['--port=65536']], [['--port=-1']], [['--prot', '1']], [['4010']]])(
  'refuses %j',
  (commandLine) => {
    expect(() => readOptions(commandLine, {})).toThrow(OptionsError);
  },
);
