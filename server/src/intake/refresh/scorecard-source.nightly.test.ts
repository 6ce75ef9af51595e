import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listing } from '../../../testing/import/rows.ts';
import { createRefreshWorkspace, type RefreshWorkspace } from '../../../testing/refresh/refresh-workspace.ts';
import { scorecardSource } from './scorecard-source.ts';

const DAY = 86_400;

let work: RefreshWorkspace;
beforeEach(async () => {
  work = await createRefreshWorkspace();
});
afterEach(() => work.close());

const refresh = () => work.refreshFrom(scorecardSource(work.parts));
const facts = () =>
  work.database.query<{ value: unknown }>(
    "SELECT value, source, url, license FROM observed_fact WHERE fact = 'scorecard'",
  );
const scored = (score: number) => ({ score, date: '2026-11-16T00:00:00Z' });

/** Stores a listing that has been read from its host. */
async function makeRead(name = 'maker/tool', overrides = {}): Promise<void> {
  await work.store(listing(name, overrides));
  work.standIn.world.repository({ name, api: 'host' in overrides ? 'gitlab' : 'github' });
  await work.refresh();
  await work.database.query('DELETE FROM score_due');
  work.standIn.requests.length = 0;
}

describe('a refresh of scorecards', () => {
  it('stores the result of a repository of github.com with source, address and licence, and queues its score', async () => {
    await makeRead();
    await makeRead('maker/other', { host: 'gitlab.com' });
    work.standIn.world.scorecards['github.com/maker/tool'] = scored(6.4);

    const { outcomes } = await refresh();

    expect(outcomes).toEqual({ read: 1 });
    expect(await facts()).toEqual([
      {
        value: { score: 6.4, ranAt: '2026-11-16T00:00:00.000Z' },
        source: 'scorecard',
        url: 'https://api.securityscorecards.dev/projects/github.com/maker/tool',
        license: 'CDLA-Permissive-2.0',
      },
    ]);
    expect(work.standIn.requests.map(({ path }) => path)).toEqual([
      '/scorecard/projects/github.com/maker/tool',
    ]);
    expect(await work.database.query('SELECT FROM score_due')).toHaveLength(1);
  });

  it('asks only whether something has changed, and then asks anew after a rename', async () => {
    await makeRead();
    work.standIn.world.scorecards['github.com/maker/tool'] = scored(6.4);
    await refresh();
    await work.makeDue();

    await refresh();
    const second = work.standIn.requests.at(-1);
    await work.database.query("UPDATE listing SET repository = 'maker/newer'");
    work.standIn.world.scorecards['github.com/maker/newer'] = scored(7);
    await work.makeDue();
    await refresh();

    expect(second?.status).toBe(304);
    expect(work.standIn.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
    expect((await facts())[0]?.value).toMatchObject({ score: 7 });
  });

  it('removes a result that is gone, and asks again after two months', async () => {
    await makeRead();
    work.standIn.world.scorecards['github.com/maker/tool'] = scored(6.4);
    await refresh();
    delete work.standIn.world.scorecards['github.com/maker/tool'];
    await work.makeDue();

    const { outcomes } = await refresh();

    const [next] = await work.database.query<{ seconds: number }>(
      "SELECT extract(epoch FROM next_check_at - ledger_now())::float8 AS seconds FROM source_reading WHERE source = 'scorecard'",
    );
    expect([outcomes, await facts()]).toEqual([{ gone: 1 }, []]);
    expect(next?.seconds).toBeGreaterThan(59 * DAY);
  });

  it.each([
    ['a score beyond the scale', '{"score":11,"repo":{"name":"github.com/maker/tool"}}'],
    ['a score that is no number', '{"score":"10","repo":{"name":"github.com/maker/tool"}}'],
    ['the aggregate of no check', '{"score":-1,"repo":{"name":"github.com/maker/tool"}}'],
    ['another repository', '{"score":10,"repo":{"name":"github.com/mallory/tool"}}'],
    ['no JSON', '<html>'],
  ])('stores nothing of %s', async (_, body) => {
    await makeRead();
    work.standIn.trouble({ kind: 'answer', status: 200, body });

    expect([(await refresh()).outcomes, await facts()]).toEqual([{ failed: 1 }, []]);
  });

  it.each([
    ['403 without a limit', { kind: 'answer', status: 403 }],
    ['500', { kind: 'answer', status: 500 }],
    ['304 unasked', { kind: 'answer', status: 304 }],
    ['a redirect elsewhere', { kind: 'answer', status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['an endless answer', { kind: 'endless' }],
    ['a hang-up', { kind: 'hang_up' }],
    ['another repository', { kind: 'answer', status: 200, body: '{"score":1,"repo":{"name":"a.b/c/d"}}' }],
  ] as const)('keeps the result that it has on %s', async (_, trouble) => {
    await makeRead();
    work.standIn.world.scorecards['github.com/maker/tool'] = scored(6.4);
    await refresh();
    const before = await facts();
    // Without the validator, an answer of 304 has not been asked for.
    await work.database.query("UPDATE source_reading SET state = '{}' WHERE source = 'scorecard'");
    await work.makeDue();
    work.standIn.trouble(trouble);

    expect([(await refresh()).outcomes, await facts()]).toEqual([{ failed: 1 }, before]);
    expect(before).toHaveLength(1);
  });

  it.each([403, 429])('ends at a limit (%i) for as long as the host asks', async (status) => {
    await makeRead();
    work.standIn.trouble({ kind: 'answer', status, headers: { 'retry-after': '45' } });

    expect(await refresh()).toMatchObject({ outcomes: {}, stillDue: 1, retryAfterSeconds: 45 });
  });
});
