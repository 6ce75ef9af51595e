import { describe, expect, it } from 'vitest';
import { startSource } from '../../server/src/testing/source-process.ts';

const file = new URL('main.ts', import.meta.url);

function start(...args: string[]) {
  const { PATH, HOME } = process.env;
  return startSource({ file, args, env: { PATH, HOME } });
}

describe.concurrent('npm run mock', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'says where it answers, and ends cleanly on %s',
    async (signal) => {
      const mock = start('--port', '0');

      const [, url = ''] = await mock.waitFor(/ready at (http:\S+)/);
      const answer = await fetch(`${url}/api/agents`);
      mock.signal(signal);

      expect(answer.status).toBe(200);
      expect(await mock.ended).toEqual({ code: 0, signal: null });
    },
    30_000,
  );

  it('ends with a sentence on options that it does not know', async () => {
    const mock = start('--prot', '1');

    expect((await mock.ended).code).toBe(1);
    expect(mock.output()).toMatch(/^Unknown option '--prot'.*\nUsage: npm run mock/s);
    expect(mock.output()).not.toContain('    at ');
  }, 30_000);
});
