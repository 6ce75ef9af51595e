import { describe, expect, it } from 'vitest';
import { startNode } from '../../../server/testing/node-process.ts';

/** Built command, as it is published. */
const file = new URL('../../dist/cli.mjs', import.meta.url);

function start(...args: string[]) {
  const { PATH, HOME } = process.env;
  return startNode({ file, args: ['mock', ...args], env: { PATH, HOME } });
}

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

  it('suggests another port if its own is taken', async () => {
    const first = start('--port', '0');
    const [, port = ''] = await first.waitFor(/ready at http:\S+:(\d+)/);

    const second = start('--port', port);

    expect((await second.ended).code).toBe(2);
    expect(second.output()).toMatch(new RegExp(`^Port ${port} is taken. Choose another: --port \\d+\\.\n$`));
    first.signal('SIGTERM');
    await first.ended;
  }, 60_000);
});
