import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { registryState, rowVersions } from '../../../testing/import/registry-state.ts';
import { account, creator } from '../../../testing/import/rows.ts';

let work: ImportWorkspace;

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

/** Returns a signal that becomes aborted when it is read for the nth time. */
function givenAfter(looks: number): AbortSignal {
  const { signal } = new AbortController();
  let left = looks;
  Object.defineProperty(signal, 'aborted', {
    get: () => {
      left -= 1;
      return left < 0;
    },
  });
  return signal;
}

describe('files with accounts', () => {
  const rows = Array.from({ length: 150 }, (_, n) =>
    account(n % 3 === 0 ? 'telegram' : 'x', `handle_${n}`, {
      type: n % 3 === 0 ? 'messaging_account' : 'social_account',
      platformAccountId: n % 2 === 0 ? `id-${n}` : null,
      ownerHandle: `owner-${n % 7}`,
      formerHandles: n % 5 === 0 ? [`before_${n}`] : [],
      audience: n * 100,
      verifiedMark: n % 4 === 0,
      createdAt: '2020-01-01',
      lastPostAt: '2026-08-01',
      crossLink: 'one',
      observedAt: '2026-08-22',
    }),
  );
  const stopClock = async ({ database }: ImportWorkspace) => {
    await replaceClock(database);
    await setClock(database, '2026-11-21T00:00:00Z');
  };
  const owners = Array.from({ length: 7 }, (_, n) => creator(`owner-${n}`));

  it('write no row the second time', async () => {
    const file = await work.file([...rows, ...owners]);
    const first = await work.run([file]);
    const before = await rowVersions(work.database);

    const second = await work.run([file]);

    expect(first.kinds.account).toMatchObject({ read: 150, added: 150, rejected: 0 });
    expect(second.kinds.account).toMatchObject({ read: 150, unchanged: 150 });
    expect(await rowVersions(work.database)).toEqual(before);
  });

  it('may be imported twice at once: every account is there once, and each name leads to one', async () => {
    const renamed = rows.map((row) => ({ ...row, name: 'Acme' }));
    const files = [await work.file(rows), await work.file([...renamed].reverse())];

    const summaries = await Promise.all(files.map((file) => work.run([file])));

    const counts = summaries.map(({ kinds }) => kinds.account);
    expect(counts.map(({ rejected }) => rejected)).toEqual([0, 0]);
    expect(counts.reduce((sum, { added }) => sum + added, 0)).toBe(150);
    const [stored] = await work.database.query(
      `SELECT (SELECT count(*) FROM platform_account) AS accounts, (SELECT count(*) FROM subject WHERE type LIKE '%account') AS subjects,
         (SELECT count(*) FROM (SELECT FROM subject_alias WHERE kind = 'identity' GROUP BY label, subject_type HAVING count(*) > 1)) AS twice`,
    );
    expect(stored).toEqual({ accounts: 150, subjects: 150, twice: 0 });
  });

  itAtNight('give the same registry in whatever order their lines come', async () => {
    const other = await createImportWorkspace();
    await stopClock(work);
    await stopClock(other);
    await work.store(...rows, ...owners);
    await other.store(...[...rows, ...owners].reverse());

    expect(await registryState(other.database)).toEqual(await registryState(work.database));
    await other.close();
  });

  itAtNight('resume after an interruption, and end with the same registry', async () => {
    const file = await work.file([...rows, ...owners]);
    const other = await createImportWorkspace();
    await stopClock(work);
    await stopClock(other);
    const same = await other.file([...rows, ...owners]);
    await other.run([same]);

    let interruptions = 0;
    let summary = await work.run([file], { signal: givenAfter(0) });
    while (!summary.finished) {
      interruptions += 1;
      summary = await work.run([file], { signal: givenAfter(interruptions) });
    }

    expect(interruptions).toBeGreaterThan(4);
    expect(summary.resumed).toBe(true);
    expect(summary.kinds.account).toMatchObject({ read: 150, added: 150 });
    expect(await registryState(work.database)).toEqual(await registryState(other.database));
    await other.close();
  });
});
