import { describe, expect, it } from 'vitest';
import { sampleUnlessNightly } from '../../../server/testing/nightly.ts';
import { startNode } from '../../../server/testing/node-process.ts';

/** Built command, as it is published. */
const file = new URL('../../dist/cli.mjs', import.meta.url);

function start(...args: string[]) {
  const { PATH, HOME } = process.env;
  return startNode({ file, args: ['mock', ...args], env: { PATH, HOME } });
}

const ENDINGS = [
  ['SIGINT', 130],
  ['SIGTERM', 0],
] as const;

describe.concurrent('the running mock', () => {
  it.each(sampleUnlessNightly(ENDINGS, ([signal]) => signal === 'SIGTERM'))(
    'says where it answers, keeps its port, and ends on %s with %d',
    async (signal, code) => {
      const mock = start('--port', '0');

      const [, url = '', port = ''] = await mock.waitFor(/ready at (http:\S+:(\d+))/);
      const answer = await fetch(`${url}/api/agents`);
      const second = start('--port', port);

      expect(answer.status).toBe(200);
      expect((await second.ended).code).toBe(2);
      expect(second.output()).toMatch(
        new RegExp(`^Port ${port} is taken. Choose another: --port \\d+\\.\n$`),
      );
      mock.signal(signal);
      expect(await mock.ended).toEqual({ code, signal: null });
    },
    60_000,
  );
});
