import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { listing, server } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { createRefreshWorkspace, type RefreshWorkspace } from '../../../testing/refresh/refresh-workspace.ts';
import { registrySource } from './registry-source.ts';

let work: RefreshWorkspace;
beforeEach(async () => {
  work = await createRefreshWorkspace();
});
afterEach(() => work.close());

const refresh = (options = {}) => work.refreshFrom(registrySource(work.parts), options);
const stored = async () => {
  const rows = await work.database.query<{ name: string; status: string }>(
    'SELECT server_name AS name, status FROM mcp_registry_entry ORDER BY 1',
  );
  return rows.map(({ name, status }) => `${name} ${status}`);
};
const queries = () => work.standIn.requests.map(({ path }) => new URL(path, 'http://stand-in').searchParams);
const day = (date: string) => `${date}T00:00:00Z`;
const entry = (name: string, overrides = {}) =>
  server(`io.github.acme/${name}`, `acme/${name}`, [['npm', name]], overrides);

describe('a refresh of the MCP registry', () => {
  it('reads page after page, and confirms packages and the maker of listed repositories', async () => {
    await work.store(listing('acme/b', { npmPackage: 'b' }));
    work.standIn.world.servers.push(...['a', 'b', 'c', 'd', 'e'].map((name) => entry(name)));
    work.standIn.world.registryPageSize = 2;

    const { outcomes, stillDue } = await refresh();

    expect([outcomes, stillDue, (await stored()).length]).toEqual([{ read: 3 }, 0, 5]);
    expect(queries().map((query) => query.get('cursor'))).toEqual([
      null,
      'io.github.acme/b:1.0.0',
      'io.github.acme/d:1.0.0',
    ]);
    const [row] = await work.database.query(
      `SELECT npm_confirmed AS confirmed, (SELECT value ->> 'namespace' FROM observed_fact o
         WHERE o.subject_id = l.subject_id AND fact = 'official_maker') AS maker FROM listing l`,
    );
    expect(row).toEqual({ confirmed: true, maker: 'io.github.acme' });
    expect(await work.database.query('SELECT FROM score_due')).toHaveLength(1);
  });

  it('continues an interrupted pass at its cursor', async () => {
    work.standIn.world.servers.push(...['a', 'b', 'c'].map((name) => entry(name)));
    work.standIn.world.registryPageSize = 1;
    await refresh({ limit: 2 });
    work.standIn.requests.length = 0;

    await refresh();

    expect(queries().map((query) => query.get('cursor'))).toEqual(['io.github.acme/b:1.0.0']);
    expect(await stored()).toHaveLength(3);
  });

  it('asks the next time for what has changed since, deleted entries too', async () => {
    work.standIn.world.servers.push(entry('a'), entry('b'));
    const beganAt = Date.now();
    await refresh();
    await work.makeDue();
    work.standIn.requests.length = 0;
    work.standIn.world.servers.splice(0, 2, entry('a', { status: 'deleted', updatedAt: day('2999-01-01') }));

    const { outcomes } = await refresh();

    expect([outcomes, await stored()]).toEqual([
      { read: 1 },
      ['io.github.acme/a deleted', 'io.github.acme/b active'],
    ]);
    const since = Date.parse(queries()[0]?.get('updated_since') ?? '');
    expect(since).toBeLessThan(beganAt);
    expect(since).toBeGreaterThan(beganAt - 2 * 3_600_000);
  });

  itAtNight('leaves out an invalid entry, and stores the others of its page', async () => {
    work.standIn.world.servers.push(
      { ...entry('a'), server: { name: 'nameless', version: '1' } },
      entry('b'),
    );

    await refresh();

    expect(await stored()).toEqual(['io.github.acme/b active']);
  });

  it.each(
    sampleUnlessNightly(
      [
        ['no JSON', { kind: 'answer', status: 200, body: '<html>' }],
        ['no list', { kind: 'answer', status: 200, body: '{"servers":{}}' }],
        ['entries that are no objects', { kind: 'answer', status: 200, body: '{"servers":[1]}' }],
        [
          'an endless cursor',
          {
            kind: 'answer',
            status: 200,
            body: `{"servers":[],"metadata":{"nextCursor":"${'x'.repeat(2_000)}"}}`,
          },
        ],
        ['an endless page', { kind: 'endless' }],
        ['403', { kind: 'answer', status: 403 }],
        ['404', { kind: 'answer', status: 404 }],
        ['304 unasked', { kind: 'answer', status: 304 }],
        ['500', { kind: 'answer', status: 500 }],
        [
          'a redirect elsewhere',
          { kind: 'answer', status: 302, headers: { location: 'http://127.0.0.1:9/' } },
        ],
        ['a hang-up', { kind: 'hang_up' }],
      ] as const,
      ([what]) => what === 'no list' || what === '500',
    ),
  )('keeps what it has on %s, and goes on where it was', async (_, trouble) => {
    work.standIn.world.servers.push(...['a', 'b'].map((name) => entry(name)));
    work.standIn.world.registryPageSize = 1;
    await refresh({ limit: 1 });
    work.standIn.trouble(trouble);

    const troubled = await refresh({ limit: 1 });
    const between = await stored();
    await work.makeDue();
    await refresh();

    expect(Object.keys(troubled.outcomes)).not.toContain('read');
    expect([between.length, (await stored()).length]).toEqual([1, 2]);
  });

  itAtNight('ends a pass whose cursors repeat, and keeps what it has', async () => {
    work.standIn.world.servers.push(entry('a'));
    await refresh();
    await work.makeDue();
    work.standIn.requests.length = 0;
    const cursors = ['x', ...Array.from({ length: 60 }, (_, page) => `cycle-${page % 3}`)];
    work.standIn.trouble(
      ...cursors.map((nextCursor) => {
        const body = JSON.stringify({ servers: [], metadata: { nextCursor } });
        return { kind: 'answer', status: 200, body } as const;
      }),
    );

    const { outcomes } = await refresh();

    expect(outcomes).toMatchObject({ failed: 1 });
    expect(queries().length).toBeLessThanOrEqual(12);
    expect(work.standIn.calm()).toBeGreaterThan(40);
    expect(await stored()).toEqual(['io.github.acme/a active']);
  });

  itAtNight('waits as long as the registry asks', async () => {
    work.standIn.trouble({ kind: 'answer', status: 429, headers: { 'retry-after': '33' } });

    expect(await refresh()).toMatchObject({ outcomes: {}, stillDue: 1, retryAfterSeconds: 33 });
  });

  it('begins the pass anew if the registry no longer accepts its cursor', async () => {
    work.standIn.world.servers.push(...['a', 'b'].map((name) => entry(name)));
    work.standIn.world.registryPageSize = 1;
    await refresh({ limit: 1 });
    for (let failure = 0; failure < 3; failure += 1) {
      work.standIn.trouble({ kind: 'answer', status: 400, body: '{"title":"Invalid cursor"}' });
      await refresh();
      await work.makeDue();
    }
    work.standIn.requests.length = 0;

    await refresh();

    expect(queries().map((query) => query.get('cursor'))).toEqual([null, 'io.github.acme/a:1.0.0']);
  });
});
