import { describe, expect, it } from 'vitest';
import { BrokenPromise } from '../experiment.ts';
import { type Part, runParts } from './run-parts.ts';

const never = new AbortController().signal;
const failing = (title: string, error: Error): Part => ({ title, run: () => Promise.reject(error) });

/** Creates a part that records that it ran. */
function noting(title: string, ran: string[]): Part {
  return {
    title,
    run: async () => {
      ran.push(title);
    },
  };
}

describe('a run of several parts', () => {
  it.each([new BrokenPromise('3 receipts lost'), new Error('the cluster did not start')])(
    'runs the control also where the part before it failed, and fails with that at the end: %s',
    async (error) => {
      const ran: string[] = [];

      const done = runParts([failing('Strict:', error), noting('Control:', ran)], never);

      await expect(done).rejects.toThrow(`Strict: ${error.message}`);
      expect(ran).toEqual(['Control:']);
    },
  );

  it('says what failed in each of them, and tells a broken promise from a fault of the run', async () => {
    const broken = failing('Strict:', new BrokenPromise('3 receipts lost'));
    const odd = failing('Control:', new Error('no port'));

    await expect(runParts([broken], never)).rejects.toBeInstanceOf(BrokenPromise);
    await expect(runParts([broken, odd], never)).rejects.toThrow('Strict: 3 receipts lost\nControl: no port');
    await expect(runParts([broken, odd], never)).rejects.not.toBeInstanceOf(BrokenPromise);
  });

  it('ends at once when it is interrupted', async () => {
    const interruption = new AbortController();
    const ran: string[] = [];
    const stopped: Part = {
      title: 'Strict:',
      async run() {
        interruption.abort(new Error('interrupted'));
        throw new Error('ended');
      },
    };

    await expect(runParts([stopped, noting('Control:', ran)], interruption.signal)).rejects.toThrow(
      'interrupted',
    );
    expect(ran).toEqual([]);
  });

  it('resolves where all of them hold', async () => {
    const ran: string[] = [];

    await runParts([noting('Strict:', ran), noting('Control:', ran)], never);

    expect(ran).toEqual(['Strict:', 'Control:']);
  });
});
