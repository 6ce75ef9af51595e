import { describe, expect, it } from 'vitest';
import { startSource } from '../../../server/src/testing/source-process.ts';
import { listenOptions } from './mock.ts';

const file = new URL('../main.ts', import.meta.url);

function start(...args: string[]) {
  const { PATH, HOME } = process.env;
  return startSource({ file, args: ['mock', ...args], env: { PATH, HOME } });
}

describe('the mock listens', () => {
  it('on port 4010 of this machine unless told otherwise', () => {
    expect(listenOptions({}, {})).toEqual({ host: '127.0.0.1', port: 4010 });
  });

  it('where the command line says, before the environment', () => {
    const environment = { MOCK_PORT: '5000', HOST: '::1' };

    expect(listenOptions({}, environment)).toEqual({ host: '::1', port: 5000 });
    expect(listenOptions({ port: '6000', host: '0.0.0.0' }, environment)).toEqual({
      host: '0.0.0.0',
      port: 6000,
    });
  });

  it.each(['many', '65536', '-1', '1.5'])('not on port %s', (port) => {
    expect(() => listenOptions({ port }, {})).toThrow('The port must be a number from 0 to 65535');
  });
});

describe.concurrent('the running mock', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 0],
  ] as const)(
    'says where it answers, and ends on %s with %d',
    async (signal, code) => {
      const mock = start('--port', '0');

      const [, url = ''] = await mock.waitFor(/ready at (http:\S+)/);
      const answer = await fetch(`${url}/api/agents`);
      mock.signal(signal);

      expect(answer.status).toBe(200);
      expect(await mock.ended).toEqual({ code, signal: null });
    },
    60_000,
  );

  it('names another port where its own is taken', async () => {
    const first = start('--port', '0');
    const [, port = ''] = await first.waitFor(/ready at http:\S+:(\d+)/);

    const second = start('--port', port);

    expect((await second.ended).code).toBe(2);
    expect(second.output()).toMatch(new RegExp(`^Port ${port} is taken. Choose another: --port \\d+\\.\n$`));
    first.signal('SIGTERM');
    await first.ended;
  }, 60_000);
});
