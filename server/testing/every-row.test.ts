import { describe, expect, it } from 'vitest';
import { expectEveryRow } from './every-row.ts';

const numberOf = (row: { n: number }) => `number ${row.n}`;
const ROWS = [1, 2, 3, 4, 5].map((n) => ({ n }));

/** Returns the error of a table, which has to fail. */
function failureOf(table: Promise<void>): Promise<Error> {
  return table.then(
    () => expect.unreachable('the table should have failed'),
    (error) => error,
  );
}

describe('expectEveryRow', () => {
  it('passes if no row fails', async () => {
    const seen: number[] = [];

    await expectEveryRow(ROWS, numberOf, ({ n }) => seen.push(n));

    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([1, 2, 9])(
    'lists every failing row by name, in order, with its error (%d at once)',
    async (concurrency) => {
      const seen: number[] = [];
      const check = async ({ n }: { n: number }) => {
        seen.push(n);
        if (n === 1) await Promise.resolve();
        if (n % 2 === 1) throw new Error(`${n} is odd\nand not even`);
      };

      const { message } = await failureOf(expectEveryRow(ROWS, numberOf, check, { concurrency }));

      expect(seen).toEqual([1, 2, 3, 4, 5]);
      expect(message.split('\n')).toEqual([
        '3 of 5 rows failed:',
        ...[1, 3, 5].flatMap((n) => [`- number ${n}`, `    ${n} is odd`, '    and not even']),
      ]);
    },
  );

  it('shows the values that an assertion of Vitest compared in full', async () => {
    const check = ({ n }: { n: number }) => expect({ n, of: 'a long text that is cut' }).toEqual({ n: 1 });

    const { message, cause } = await failureOf(expectEveryRow(ROWS.slice(1, 2), numberOf, check));

    expect(message).toMatch(/actual: +\{ n: 2, of: 'a long text that is cut' \}\n +expected: \{ n: 1 \}$/);
    expect(cause).toHaveProperty('name', 'AssertionError');
  });

  it('checks as many rows at the same time as it may', async () => {
    let now = 0;
    let most = 0;
    const check = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
    };

    await expectEveryRow(ROWS, numberOf, check, { concurrency: 3 });

    expect(most).toBe(3);
  });

  it('fails for an empty table and for whatever is thrown', async () => {
    const refuse = () => Promise.reject('no error');

    expect((await failureOf(expectEveryRow([], numberOf, () => undefined))).message).toMatch(/no rows/);
    expect((await failureOf(expectEveryRow(ROWS, numberOf, refuse))).message).toMatch(
      /5 of 5.*threw 'no error'/s,
    );
  });
});
