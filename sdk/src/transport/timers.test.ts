import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page } from '../../test/samples.ts';
import { TrustDirectory } from '../client.ts';
import type { FetchInit } from './client-options.ts';

/** Matches the stack of code of the client. */
const CLIENT = /\/sdk\/src\/(?!.*\.test\.ts)/;

describe('a finished call', () => {
  /** Returns the number of timers that the client set and did not clear. Other code of the process may set some too. */
  async function timersLeftBy(work: () => Promise<unknown>): Promise<number> {
    const set: NodeJS.Timeout[] = [];
    const setReal = setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((...input: Parameters<typeof setTimeout>) => {
      const timer = setReal(...input);
      if (CLIENT.test(new Error('who sets it').stack ?? '')) set.push(timer);
      return timer;
    }) as typeof setTimeout);
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    await work().catch(() => {});
    await new Promise(setImmediate);
    const clearedTimers = new Set(cleared.mock.calls.map(([timer]) => timer));
    expect(set).not.toEqual([]);
    return set.filter((timer) => !clearedTimers.has(timer)).length;
  }

  it('leaves no timer', async () => {
    const fetch = async () => Response.json(page);

    expect(
      await timersLeftBy(() => new TrustDirectory({ baseUrl: 'https://trust.example', fetch }).agents.list()),
    ).toBe(0);
  });

  it('leaves no timer if aborted during an attempt', async () => {
    const controller = new AbortController();
    const fetch = (_url: string, { signal }: FetchInit) =>
      new Promise<Response>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        queueMicrotask(() => controller.abort());
      });
    const call = () =>
      new TrustDirectory({ baseUrl: 'https://trust.example', fetch }).agents.list(
        {},
        { signal: controller.signal },
      );

    expect(await timersLeftBy(call)).toBe(0);
  });

  it('leaves no timer if aborted during a wait', async () => {
    const controller = new AbortController();
    const fetch = async () => {
      setImmediate(() => controller.abort());
      return new Response(null, { status: 503 });
    };
    const call = () =>
      new TrustDirectory({ baseUrl: 'https://trust.example', fetch }).agents.list(
        {},
        { signal: controller.signal },
      );

    expect(await timersLeftBy(call)).toBe(0);
  });
});
