import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { artifact, listing } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { createRefreshWorkspace, type RefreshWorkspace } from '../../../testing/refresh/refresh-workspace.ts';

const DAY = 86_400;

let work: RefreshWorkspace;
beforeEach(async () => {
  work = await createRefreshWorkspace();
});
afterEach(() => work.close());

const conditional = () =>
  work.standIn.requests.filter(({ headers }) => headers['if-none-match'] !== undefined);

describe('a refresh', () => {
  it('stores what the host says, with its id and our time of reading, and scores the listing on it', async () => {
    await work.store(
      listing('maker/tool', { stars: 5, metricsAsOf: '2026-01-01', metricsSource: 'acme/list' }),
    );
    const { id } = work.standIn.world.repository({ name: 'Maker/tool' });
    const before = await work.state('maker/tool');

    const { outcomes, stillDue } = await work.refresh();

    const after = await work.state('maker/tool');
    expect([outcomes, stillDue]).toEqual([{ read: 1 }, 0]);
    expect(after).toMatchObject({
      repository: 'Maker/tool',
      hostRepositoryId: id,
      stars: 340,
      license: 'MIT',
    });
    expect(after).toMatchObject({ archived: false, outcome: 'read', failures: 0, leased: false });
    expect((after.observed ?? '') > before.changed && after.changed > before.changed).toBe(true);
    expect((after.version ?? '') > (before.version ?? '')).toBe(true);
    expect(after.nextCheckIn).toBeGreaterThan(5.9 * DAY);
    expect(after.nextCheckIn).toBeLessThan(6.7 * DAY);
  });

  it("stores the owner's id, unless the repository that answers may be another one than was listed", async () => {
    await work.store(
      listing('maker/tool'),
      listing('maker/other', { license: 'Apache-2.0' }),
      listing('maker/new'),
    );
    work.standIn.world.account({ handle: 'maker', id: '42' });
    work.standIn.world.repository({ name: 'maker/tool' });
    work.standIn.world.repository({ name: 'maker/other' });
    work.standIn.world.repository({ name: 'maker/new', createdAt: '2999-01-01T00:00:00Z' });

    await work.refresh();

    const stored = await work.database.query(
      'SELECT repository, host_owner_id AS owner, identity_doubt AS doubt FROM listing ORDER BY 1',
    );
    expect(stored).toEqual([
      { repository: 'maker/new', owner: null, doubt: 'created_later' },
      { repository: 'maker/other', owner: null, doubt: 'license_differs' },
      { repository: 'maker/tool', owner: '42', doubt: null },
    ]);
  });

  itAtNight('requests a full answer where the owner of the earlier reading is unknown', async () => {
    await work.store(listing('maker/tool'));
    work.standIn.world.repository({ name: 'maker/tool' });
    await work.refresh();
    await work.database.query('UPDATE listing SET host_owner_id = NULL');
    await work.makeDue();

    await work.refresh();

    expect(conditional()).toEqual([]);
    expect(await work.database.query('SELECT FROM listing WHERE host_owner_id IS NULL')).toEqual([]);
  });

  it('renews the observation where the host says that nothing changed, with a single request', async () => {
    await work.store(listing('maker/tool'));
    work.standIn.world.repository({ name: 'maker/tool' });
    await work.refresh();
    const first = await work.state('maker/tool');
    await work.makeDue();

    const { outcomes } = await work.refresh();

    const second = await work.state('maker/tool');
    expect(outcomes).toEqual({ unchanged: 1 });
    expect(work.standIn.requests.map(({ status }) => status)).toEqual([200, 304]);
    expect((second.observed ?? '') > (first.observed ?? '')).toBe(true);
    expect((second.version ?? '') > (first.version ?? '')).toBe(true);
    expect([second.stars, second.changed]).toEqual([340, first.changed]);
  });

  itAtNight('requests a full answer where an import has replaced the metrics since', async () => {
    await work.store(listing('maker/tool'));
    work.standIn.world.repository({ name: 'maker/tool' });
    await work.refresh();
    await work.store(listing('maker/tool', { stars: 7, metricsAsOf: '2199-01-01', metricsSource: 'x/list' }));
    const imported = await work.state('maker/tool');
    await work.makeDue();

    const { outcomes } = await work.refresh();

    expect([imported.stars, outcomes]).toEqual([7, { read: 1 }]);
    expect(conditional()).toEqual([]);
    expect((await work.state('maker/tool')).stars).toBe(340);
  });

  itAtNight(
    'survives an import of older readings, which still fills what the host does not show',
    async () => {
      await work.store(listing('maker/tool', { description: null }));
      work.standIn.world.repository({ name: 'maker/tool' });
      await work.refresh();
      const read = await work.state('maker/tool');

      await work.store(
        listing('maker/tool', { description: null, stars: 7, metricsAsOf: '2026-01-01', npmPackage: 'tool' }),
      );

      const { observed, stars, license } = await work.state('maker/tool');
      expect([observed, stars, license]).toEqual([read.observed, 340, 'MIT']);
      expect(await work.named('npm:tool')).toEqual(['maker/tool']);
      const texts = await work.database.query('SELECT description FROM listing');
      expect(texts).toEqual([{ description: 'What the host says it is' }]);
    },
  );

  itAtNight('names the host as the source of what it scores on', async () => {
    await work.store(listing('maker/tool', { stars: 5, metricsAsOf: '2026-01-01', metricsSource: 'x/list' }));
    work.standIn.world.repository({ name: 'maker/tool' });

    await work.refresh();

    const sources = await work.database.query<{ source: string }>(
      `SELECT c ->> 'source' AS source FROM listing_rank k JOIN score s ON s.subject_id = k.subject_id
         AND s.version = k.score_version, jsonb_array_elements(s.contributions) AS c
       WHERE c ->> 'signal' = 'stars'`,
    );
    expect(sources).toEqual([{ source: 'github.com' }]);
  });

  itAtNight('fills only an empty description and tags, and keeps what a source wrote', async () => {
    await work.store(listing('maker/told', { tags: ['mine'] }), listing('maker/bare', { description: null }));
    for (const name of ['maker/told', 'maker/bare']) work.standIn.world.repository({ name });

    await work.refresh();

    const texts = await work.database.query(
      "SELECT description, tags, words @@ 'host' AS found FROM listing JOIN listing_words USING (agent_id) ORDER BY repository",
    );
    expect(texts).toEqual([
      { description: 'What the host says it is', tags: ['agents', 'mcp'], found: true },
      { description: 'What maker/told does.', tags: ['mine'], found: false },
    ]);
  });

  it('makes facts unknown where the repository is gone, keeps the listing, and knows them again when it is back', async () => {
    await work.store(listing('maker/tool', { license: 'MIT' }));
    await work.refresh();
    const gone = await work.state('maker/tool');
    work.standIn.world.repository({ name: 'maker/tool' });
    await work.makeDue();

    await work.refresh();

    expect(gone).toMatchObject({
      outcome: 'gone',
      stars: null,
      license: null,
      archived: null,
      observed: null,
    });
    expect(gone.nextCheckIn).toBeGreaterThan(29 * DAY);
    expect(await work.state('maker/tool')).toMatchObject({ outcome: 'read', stars: 340, license: 'MIT' });
  });

  it.each(
    sampleUnlessNightly(
      [
        ['an answer without sense', { kind: 'answer', status: 200, body: '{"id":' }],
        ['an error of the host', { kind: 'answer', status: 502 }],
        ['an answer without end', { kind: 'endless' }],
        ['no answer', { kind: 'hang_up' }],
        [
          'a way to another place',
          { kind: 'answer', status: 301, headers: { location: 'http://127.0.0.1:9/' } },
        ],
      ] as const,
      ([what]) => what === 'an error of the host',
    ),
  )('changes nothing on %s, and waits twice as long each time', async (_, trouble) => {
    await work.store(listing('maker/tool', { stars: 5, metricsAsOf: '2026-01-01' }));
    const before = await work.state('maker/tool');
    const waits: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      work.standIn.trouble(trouble);
      await work.refresh();
      waits.push(Math.round(((await work.state('maker/tool')).nextCheckIn ?? 0) / 3_600));
      await work.makeDue();
    }

    const after = await work.state('maker/tool');
    expect(after).toMatchObject({
      outcome: 'failed',
      failures: 3,
      stars: 5,
      observed: before.observed,
      leased: false,
    });
    expect(after.version).toBe(before.version);
    expect(waits).toEqual([1, 2, 4]);
  });

  itAtNight('queues the artifacts of the repository for scoring', async () => {
    await work.store(listing('maker/tool'), artifact('maker/tool', 'inside'));
    work.standIn.world.repository({ name: 'maker/tool' });

    await work.refresh();

    const due = await work.database.query<{ name: string }>(
      'SELECT s.name FROM score_due d JOIN subject s ON s.id = d.subject_id WHERE s.type = $1 AND d.own',
      ['skill'],
    );
    expect(due).toEqual([{ name: 'inside' }]);
  });

  it('stores the parent of a repository that its host shows as a fork of a listed one', async () => {
    await work.store(listing('origin/tool'), listing('maker/tool'));
    work.standIn.world.repository({ name: 'origin/tool' });
    work.standIn.world.repository({ name: 'maker/tool', forkOf: 'origin/tool' });

    await work.refresh();

    const parents = await work.database.query(
      `SELECT l.repository, p.repository AS parent, l.parent_relation AS relation, l.parent_stated AS stated
       FROM listing l JOIN listing p ON p.subject_id = l.parent_id`,
    );
    expect(parents).toEqual([
      { repository: 'maker/tool', parent: 'origin/tool', relation: 'fork_of', stated: true },
    ]);
  });

  itAtNight('reads listings of other hosts too, and skips hosts that it cannot read', async () => {
    await work.store(
      listing('maker/a', { host: 'gitlab.com' }),
      listing('maker/b', { host: 'codeberg.org' }),
      listing('maker/c', { host: 'bitbucket.org' }),
      listing('maker/d', { host: 'gitee.com' }),
    );
    work.standIn.world.repository({ api: 'gitlab', name: 'maker/a' });
    work.standIn.world.repository({ api: 'forgejo', name: 'maker/b' });
    work.standIn.world.repository({ api: 'bitbucket', name: 'maker/c' });

    const { outcomes, stillDue } = await work.refresh();

    expect([outcomes, stillDue]).toEqual([{ read: 3 }, 0]);
    expect((await work.state('maker/d')).outcome).toBeNull();
  });
});
