import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeAtNight, itAtNight } from '../../../testing/at-night.ts';
import { artifact, listing, server } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { createRefreshWorkspace, type RefreshWorkspace } from '../../../testing/refresh/refresh-workspace.ts';
import { createRefreshJob, repositorySource } from './refresh-run.ts';
import { repositoryDetailsSource } from './repository-details.ts';

const DAY = 86_400;

let work: RefreshWorkspace;
beforeEach(async () => {
  work = await createRefreshWorkspace();
});
afterEach(() => work.close());

const refreshDetails = (options = {}) => work.refreshFrom(repositoryDetailsSource(work.parts), options);
const facts = () =>
  work.database.query<{ fact: string; value: unknown; source: string; url: string }>(
    'SELECT fact, value, source, url FROM observed_fact ORDER BY fact',
  );
const nextCheck = async () => {
  const [row] = await work.database.query<{ seconds: number; failures: number }>(
    `SELECT extract(epoch FROM next_check_at - ledger_now())::float8 AS seconds, failures FROM source_reading`,
  );
  return row;
};

/** Stores a listing whose repository has been read. */
async function makeRead(name: string, of = {}): Promise<void> {
  await work.store(listing(name));
  work.standIn.world.account({ handle: 'maker', isOrganisation: true });
  work.standIn.world.repository({ name, ...of });
  await work.refresh();
  await work.database.query('DELETE FROM score_due');
}

describe('the description of a container', () => {
  const README = '# Servers\n\n[![x](y)](z)\n\nReference servers of the **Model Context Protocol**.\n';
  const described = async () =>
    (await work.database.query<{ description: string }>('SELECT description FROM listing'))[0]?.description;

  it.each(
    sampleUnlessNightly(
      [
        [
          'a list that describes one of its parts',
          'A server that provides time conversion.',
          'Reference servers of the Model Context Protocol.',
        ],
        ['a list without a description', null, 'Reference servers of the Model Context Protocol.'],
        ['a list that describes it as a whole', 'All servers of the maker.', 'All servers of the maker.'],
      ],
      ([list]) => list === 'a list that describes one of its parts',
    ),
  )('comes from its README for %s, and stays after the next import', async (_, description, expected) => {
    const row = listing('maker/servers', { description });
    await work.store(row);
    work.standIn.world.account({ handle: 'maker', isOrganisation: true });
    const files = { 'README.md': README };
    work.standIn.world.repository({ name: 'maker/servers', description: 'Short text of the host', files });
    await work.refresh();
    await refreshDetails();
    const read = await described();
    await work.store({ ...row, tags: ['mcp'] });
    await work.makeDue();
    await work.refresh();

    expect([read, await described()]).toEqual([expected, expected]);
  });

  itAtNight('is that of the host for a repository that is no container', async () => {
    await work.store(listing('maker/tool', { description: null }));
    work.standIn.world.account({ handle: 'maker', isOrganisation: true });
    const files = { 'README.md': README };
    work.standIn.world.repository({ name: 'maker/tool', description: 'Short text of the host', files });
    await work.refresh();
    await refreshDetails();

    expect(await described()).toBe('Short text of the host');
  });
});

describe('details of a repository', () => {
  it('are stored with their source and address, once its record has been read, and queue its scores', async () => {
    await work.store(listing('maker/tool'), artifact('maker/tool', 'inside'));
    const before = await refreshDetails();
    work.standIn.world.account({ handle: 'maker', isOrganisation: true });
    const files = { 'package.json': '{"name":"tool"}', 'SECURITY.md': '' };
    work.standIn.world.repository({
      name: 'maker/tool',
      releases: ['2026-10-05T00:00:00Z'],
      contributors: 3,
      files,
    });
    await work.refresh();
    await work.database.query('DELETE FROM score_due');

    const { outcomes, stillDue } = await refreshDetails();

    expect([before.outcomes, outcomes, stillDue]).toEqual([{}, { read: 1 }, 0]);
    const source = 'github.com';
    const site = 'https://github.com/maker/tool';
    expect(await facts()).toEqual([
      { fact: 'contributors', value: { count: 3 }, source, url: `${site}/graphs/contributors` },
      {
        fact: 'manifest',
        value: { packages: [{ ecosystem: 'npm', name: 'tool', path: 'package.json' }] },
        source,
        url: `${site}/blob/HEAD/package.json`,
      },
      {
        fact: 'owner_account',
        value: { kind: 'organisation', createdAt: '2019-05-06T07:08:09.000Z' },
        source,
        url: 'https://github.com/maker',
      },
      {
        fact: 'releases',
        value: { count: 1, latestAt: '2026-10-05T00:00:00.000Z' },
        source,
        url: `${site}/releases`,
      },
      { fact: 'security_policy', value: { present: true }, source, url: `${site}/blob/HEAD/SECURITY.md` },
    ]);
    const due = await work.database.query(
      'SELECT s.type FROM score_due d JOIN subject s ON s.id = d.subject_id',
    );
    expect(due).toHaveLength(2);
    expect((await nextCheck())?.seconds).toBeGreaterThan(13.9 * DAY);
  });

  itAtNight('renew their time without a change, and queue no score', async () => {
    await makeRead('maker/tool');
    await refreshDetails();
    await work.database.query("UPDATE observed_fact SET observed_at = '2026-01-01'");
    await work.database.query('DELETE FROM score_due');
    await work.makeDue();

    const { outcomes } = await refreshDetails();

    const old = await work.database.query("SELECT FROM observed_fact WHERE observed_at < '2026-02-01'");
    const due = await work.database.query('SELECT FROM score_due');
    expect([outcomes, old, due]).toEqual([{ read: 1 }, [], []]);
    const asked = work.standIn.requests.filter(({ headers }) => headers['if-none-match'] !== undefined);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter(({ status }) => status !== 304)).toEqual([]);
  });

  it('look for manifests in the folder that the MCP registry names, but never outside of the repository', async () => {
    const entry = (name: string, subfolder: string) => {
      const row = server(`io.github.maker/${name}`, 'maker/tool');
      const content = row.server as { repository: object };
      return { ...row, server: { ...content, repository: { ...content.repository, subfolder } } };
    };
    await work.store(entry('evil', '../../../users/maker'), entry('one', './servers/one/'));
    await makeRead('maker/tool', { files: { 'servers/one/package.json': '{"name":"one"}' } });
    work.standIn.requests.length = 0;

    await refreshDetails();

    const [manifest] = (await facts()).filter(({ fact }) => fact === 'manifest');
    expect(manifest?.value).toEqual({
      packages: [{ ecosystem: 'npm', name: 'one', path: 'servers/one/package.json' }],
    });
    expect(work.standIn.requests.map(({ path }) => path).filter((path) => path.includes('users'))).toEqual(
      [],
    );
  });

  it.each(sampleUnlessNightly(['the details', 'the record'], (what) => what === 'the record'))(
    'are removed where the repository is gone when %s are read',
    async (what) => {
      await makeRead('maker/tool', { files: { 'package.json': '{"name":"tool"}' } });
      await work.database.query(
        `INSERT INTO package_reading (ecosystem, name, outcome, version, host, repository)
         VALUES ('npm', 'tool', 'read', '1.0.0', 'github.com', 'maker/tool')`,
      );
      const packages = () =>
        work.database.query('SELECT npm_package AS npm, npm_confirmed AS own FROM listing');
      await refreshDetails();
      const before = await facts();
      expect(await packages()).toEqual([{ npm: 'tool', own: true }]);
      work.standIn.world.repositories.length = 0;
      await work.makeDue();

      const { outcomes } = await (what === 'the record' ? work.refresh() : refreshDetails());

      expect(before.length).toBeGreaterThan(2);
      expect([outcomes, await facts()]).toEqual([{ gone: 1 }, []]);
      expect(await packages()).toEqual([{ npm: null, own: false }]);
    },
  );

  it('lose the account of the former owner when the repository has another owner', async () => {
    await makeRead('maker/tool');
    await refreshDetails();
    const owner = async () => (await facts()).filter(({ fact }) => fact === 'owner_account');
    expect(await owner()).toHaveLength(1);

    const other = work.standIn.world.account({ handle: 'buyer' });
    for (const repository of work.standIn.world.repositories) repository.ownerId = other.id;
    await work.makeDue();
    expect((await work.refresh()).outcomes).toEqual({ renamed: 1 });

    expect(await owner()).toEqual([]);
  });

  it('stay on a failure, which is tried again after one hour, then two', async () => {
    await makeRead('maker/tool');
    await refreshDetails();
    const before = await facts();
    const waits: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      await work.makeDue();
      work.standIn.trouble({ kind: 'hang_up' });
      expect((await refreshDetails()).outcomes).toEqual({ failed: 1 });
      waits.push(Math.round(((await nextCheck())?.seconds ?? 0) / 3_600));
    }

    expect([waits, await facts()]).toEqual([[1, 2], before]);
  });

  it.each(
    sampleUnlessNightly(
      [
        ['403 without a limit', { kind: 'answer', status: 403 }],
        ['500', { kind: 'answer', status: 500 }],
        ['no JSON', { kind: 'answer', status: 200, body: '<html>' }],
        ['another form', { kind: 'answer', status: 200, body: '{"releases":3}' }],
        ['an endless answer', { kind: 'endless' }],
        [
          'a redirect elsewhere',
          { kind: 'answer', status: 302, headers: { location: 'http://127.0.0.1:9/' } },
        ],
      ] as const,
      ([what]) => what === '500',
    ),
  )('stay where each request gets %s', async (_, trouble) => {
    await makeRead('maker/tool', { releases: ['2026-10-05T00:00:00Z'], contributors: 3 });
    await refreshDetails();
    const before = await facts();
    await work.makeDue();
    work.standIn.trouble(...Array.from({ length: 20 }, () => trouble));

    await refreshDetails();

    work.standIn.calm();
    expect([before.length > 2, await facts()]).toEqual([true, before]);
  });

  itAtNight.each([403, 429])(
    'cost the listing nothing where the host limits requests (%i)',
    async (status) => {
      await makeRead('maker/tool');
      work.standIn.trouble({ kind: 'answer', status, headers: { 'retry-after': '60' } });

      const { outcomes, stillDue, retryAfterSeconds } = await refreshDetails();

      expect([outcomes, stillDue, retryAfterSeconds]).toEqual([{}, 1, 60]);
      expect(await nextCheck()).toMatchObject({ failures: 0 });
    },
  );

  itAtNight('are not stored where another process has taken the lease, or the listing is gone', async () => {
    await makeRead('maker/tool');
    work.standIn.onRequest(async () => {
      await work.database.query('UPDATE source_reading SET lease_id = gen_random_uuid()');
    });

    const taken = await refreshDetails();
    await work.database.query('UPDATE source_reading SET lease_id = NULL, leased_until = NULL');
    work.standIn.onRequest(async () => {
      await work.database.query('DELETE FROM source_reading');
    });
    const gone = await refreshDetails();

    expect([taken.outcomes, gone.outcomes, await facts()]).toEqual([{ lost: 1 }, { lost: 1 }, []]);
  });

  itAtNight('of well-known listings are read first', async () => {
    for (const [name, stars] of [
      ['maker/small', 3],
      ['maker/large', 90_000],
    ] as const) {
      await work.store(listing(name));
      work.standIn.world.repository({ name, stars, releases: [] });
    }
    await work.refresh();
    work.standIn.requests.length = 0;

    await refreshDetails({ limit: 1 });

    const large = work.standIn.world.repositories.find(({ name }) => name === 'maker/large');
    expect(work.standIn.requests[0]?.path).toContain(`/repositories/${large?.id}/`);
  });
});

describeAtNight('the hourly number', () => {
  it('counts requests of all sources, and gives each its turn', async () => {
    await makeRead('maker/tool');
    await work.makeDue();
    const before = work.standIn.requests.length;
    const sources = [repositorySource(work.parts), repositoryDetailsSource(work.parts)];
    const run = createRefreshJob(work.database, sources, 5, new AbortController().signal);

    const readings = [await run(), await run()];
    await work.makeDue();
    const spent = await run();

    // One request for the record, and four for the details.
    expect([readings, spent, work.standIn.requests.length - before]).toEqual([[1, 1], 0, 5]);
  });
});
