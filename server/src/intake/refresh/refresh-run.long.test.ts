import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { listing } from '../../../testing/import/rows.ts';
import { fewerUnlessNightly, sampleUnlessNightly } from '../../../testing/nightly.ts';
import { createRefreshWorkspace, type RefreshWorkspace } from '../../../testing/refresh/refresh-workspace.ts';
import { createStandIn } from '../../../testing/stand-ins/stand-in-backend.ts';
import { createRefreshJob, refreshListings, repositorySource } from './refresh-run.ts';
import { HostBackoff } from './refresh-source.ts';

let work: RefreshWorkspace;
beforeEach(async () => {
  work = await createRefreshWorkspace();
});
afterEach(() => work.close());

/** Creates listings that their host knows. */
async function make(count: number, api: 'github' | 'gitlab' = 'github'): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${api}-maker/tool-${index}`);
  await work.store(...names.map((name) => listing(name, { host: `${api}.com` })));
  for (const name of names) work.standIn.world.repository({ api, name });
}

const never = new AbortController().signal;
const paths = () => work.standIn.requests.map(({ path }) => path);

async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a run', () => {
  itAtNight('ends at its limit, and the next one continues there', async () => {
    await make(5);

    const first = await work.refresh({ limit: 2 });
    const second = await work.refresh();

    expect([first.outcomes, first.stillDue]).toEqual([{ read: 2 }, 3]);
    expect([second.outcomes, second.stillDue]).toEqual([{ read: 3 }, 0]);
    expect(new Set(paths()).size).toBe(5);
  });

  itAtNight('begins with the most popular listings', async () => {
    const stars = [40, 90_000, 5, 2_000, 11_000, 300];
    const names = stars.map((_, index) => `maker/tool-${index}`);
    const observed = { metricsObservedAt: '2026-11-01T00:00:00Z' };
    await work.store(...names.map((name, index) => listing(name, { stars: stars[index], ...observed })));
    for (const name of names) work.standIn.world.repository({ name });

    await work.refresh();

    expect(paths()).toEqual([1, 4, 3, 5, 0, 2].map((index) => `/github/repos/maker/tool-${index}`));
  });

  it('releases its claim when it is interrupted', async () => {
    await make(3);
    const controller = new AbortController();
    let seen = 0;
    work.standIn.onRequest(async () => {
      seen += 1;
      if (seen === 2) controller.abort();
    });

    const interrupted = await work.refresh({ signal: controller.signal });
    work.standIn.onRequest(null);
    const leases = await work.database.query('SELECT FROM repository_refresh WHERE lease_id IS NOT NULL');
    const next = await work.refresh();

    expect([interrupted.outcomes, interrupted.interrupted]).toEqual([{ read: 1 }, true]);
    expect(leases).toEqual([]);
    expect(next.outcomes).toEqual({ read: 2 });
  });

  it('reads no listing twice when two run at the same time', async () => {
    const count = fewerUnlessNightly(16, 30);
    await make(count);

    const [one, other] = await Promise.all([work.refresh(), work.refresh()]);

    const reads = (one.outcomes.read ?? 0) + (other.outcomes.read ?? 0);
    expect(reads).toBe(count);
    expect(new Set(paths()).size).toBe(count);
    expect(paths()).toHaveLength(count);
    expect(Math.min(one.outcomes.read ?? 0, other.outcomes.read ?? 0)).toBeGreaterThan(0);
  });

  it('holds no transaction open during a request, and takes over the claim of a dead process', async () => {
    await make(1);
    let open: object[] = [];
    work.standIn.onRequest(async () => {
      open = await work.database.query(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
      );
    });
    await work.refresh({ limit: 0 });
    await work.database.query(
      "UPDATE repository_refresh SET lease_id = gen_random_uuid(), leased_until = ledger_now() + interval '1 minute'",
    );

    const meanwhile = await work.refresh();
    await work.database.query(
      "UPDATE repository_refresh SET leased_until = ledger_now() - interval '1 second'",
    );
    const later = await work.refresh();

    expect([meanwhile.outcomes, later.outcomes]).toEqual([{}, { read: 1 }]);
    expect(open).toEqual([]);
  });

  it('stores nothing of an answer that arrives after another process took the claim', async () => {
    await make(1);
    work.standIn.onRequest(async () => {
      await work.database.query('UPDATE repository_refresh SET lease_id = gen_random_uuid()');
    });

    const { outcomes } = await work.refresh();

    expect(outcomes).toEqual({ lost: 1 });
    expect(await work.state('github-maker/tool-0')).toMatchObject({
      stars: null,
      outcome: null,
      leased: true,
    });
  });

  itAtNight('queues the scores if a remote backend makes them', async () => {
    await make(1);
    const before = await work.state('github-maker/tool-0');
    const backend = createStandIn();
    await work.refresh({ limit: 0 });

    await refreshListings({ ...work.parts, backend }, ['github.com'], { signal: never });

    const due = await work.database.query('SELECT subject_id AS id, own FROM score_due WHERE own');
    expect(due).toEqual([{ id: before.id, own: true }]);
    expect(backend.calls).toEqual([]);
    expect((await work.state('github-maker/tool-0')).version).toBe(before.version);
  });
});

describe('rate limits of a host', () => {
  it('are respected: requests stop before they are reached, while other hosts are read', async () => {
    await make(10);
    await make(3, 'gitlab');
    work.standIn.allow(9, 1_800);

    const { outcomes, stillDue, retryAfterSeconds } = await work.refresh();

    const asked = paths().filter((path) => path.startsWith('/github/'));
    expect(asked).toHaveLength(4);
    expect(outcomes).toEqual({ read: 7 });
    expect(stillDue).toBe(6);
    expect(retryAfterSeconds).toBeGreaterThan(1_780);
    expect(retryAfterSeconds).toBeLessThanOrEqual(1_801);
  });

  it.each(sampleUnlessNightly([403, 429], (status) => status === 429))(
    'stop the run on that host at once when it says so (%i), and cost the listing nothing',
    async (status) => {
      await make(4);
      work.standIn.trouble({ kind: 'answer', status, headers: { 'retry-after': '77' } });

      const summary = await work.refresh();

      expect(paths()).toHaveLength(1);
      expect(summary).toMatchObject({ outcomes: {}, stillDue: 4, retryAfterSeconds: 77 });
      const failed = await work.database.query(
        'SELECT FROM repository_refresh WHERE failures > 0 OR lease_id IS NOT NULL',
      );
      expect(failed).toEqual([]);
    },
  );

  itAtNight('are waited for with the option `wait`', async () => {
    await make(2);
    work.standIn.trouble({ kind: 'answer', status: 429, headers: { 'retry-after': '1' } });
    const startedAt = performance.now();

    const { outcomes, stillDue } = await work.refresh({ wait: true });

    expect([outcomes, stillDue]).toEqual([{ read: 2 }, 0]);
    expect(performance.now() - startedAt).toBeGreaterThan(950);
  });

  itAtNight('do not keep a waiting run from being interrupted', async () => {
    await make(2);
    const controller = new AbortController();
    work.standIn.trouble({ kind: 'answer', status: 429, headers: { 'retry-after': '3600' } });

    const run = work.refresh({ wait: true, signal: controller.signal });
    await waitUntil(() => paths().length === 1);
    controller.abort();

    expect(await run).toMatchObject({ interrupted: true, stillDue: 2 });
  });
});

const createJob = (perHour: number) =>
  createRefreshJob(work.database, [repositorySource(work.parts)], perHour, never);

describe('the refresh job of a server', () => {
  it('reads a minute’s share, and no more than the hourly number over all processes', async () => {
    await make(10);
    const rounds = [1, 2].map(() => createJob(120));

    const shares = [];
    for (const round of rounds) shares.push(await round());
    const spent = createJob(5);
    const rest = [await spent(), await spent()];

    expect(shares).toEqual([2, 2]);
    expect(rest).toEqual([1, 0]);
  });

  itAtNight('remembers the rate limit of a host', async () => {
    await make(3);
    const round = createJob(600);
    work.standIn.trouble({ kind: 'answer', status: 429, headers: { 'retry-after': '600' } });

    const read = [await round(), await round()];

    expect(read).toEqual([0, 0]);
    expect(paths()).toHaveLength(1);
  });
});

describe('HostBackoff', () => {
  it('allows a host again after its delay', () => {
    let now = 0;
    const backoff = new HostBackoff(() => now);
    backoff.block('github.com', 10);

    expect(backoff.available(['github.com', 'gitlab.com'])).toEqual(['gitlab.com']);
    expect(backoff.secondsUntilAvailable(['github.com'])).toBe(10);
    now = 10_000;
    expect(backoff.available(['github.com'])).toEqual(['github.com']);
    expect(backoff.secondsUntilAvailable(['github.com'])).toBe(0);
  });
});
