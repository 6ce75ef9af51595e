import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { importQueriesOf } from '../../../testing/import/import-queries.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { registryState, rowVersions } from '../../../testing/import/registry-state.ts';
import { artifact, listing } from '../../../testing/import/rows.ts';
import { delistListing } from '../../directory/delisting/delist-listing.ts';
import { relistListing } from '../../directory/delisting/relist-listing.ts';
import { createPublicUrls } from '../subjects/public-path.ts';
import { loadSubjects } from '../subjects/subject.presenter.ts';

let work: ImportWorkspace;
const { lead } = importQueriesOf(() => work);
const publicUrls = createPublicUrls('http://directory.example');

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

const time = (name: string, more: Record<string, unknown> = {}) =>
  artifact('acme/servers', name, { path: 'src/time', kind: 'mcp-server', ...more });
const STATED = [
  listing('acme/servers'),
  time('Clock', { description: 'Tells the time.' }),
  time('Time MCP Server', { path: '/src/time/', npmPackage: '@acme/time' }),
  time('Fetch', { path: 'src/fetch' }),
];

interface Stored {
  id: string;
  name: string;
  description: string;
  npm: string | null;
}

function artifacts(): Promise<Stored[]> {
  return work.database.query<Stored>(
    'SELECT subject_id AS id, name, description, npm_package AS npm FROM artifact ORDER BY name',
  );
}

/** Stores a second artifact for a path, as earlier imports did. Returns its UUID. */
async function storeSeparately(name: string): Promise<string> {
  await work.store(time(name, { path: 'src/other' }));
  const [stored] = await work.database.query<{ id: string }>(
    `UPDATE artifact SET path = 'src/time', imported = imported || '{"path": "src/time"}' WHERE name = $1
     RETURNING subject_id AS id`,
    [name],
  );
  await work.database.query(
    `UPDATE subject_alias SET label = replace(label, '//src/other', '//src/time') WHERE subject_id = $1`,
    [stored?.id],
  );
  return stored?.id ?? '';
}

describe('artifacts of one path', () => {
  it('are one subject with one score, which answers to every name', async () => {
    const summary = await work.store(...STATED);

    expect(summary.kinds.artifact).toMatchObject({ added: 3, rejected: 0 });
    expect(await artifacts()).toMatchObject([
      { name: 'Fetch' },
      { name: 'Time MCP Server', description: 'Tells the time.', npm: '@acme/time' },
    ]);
    for (const name of [
      'acme/servers#Clock',
      'acme/servers#time mcp server',
      'acme/servers/src/time',
      'Clock',
    ])
      expect(await lead(name)).toBe('acme/servers#Time MCP Server');
    expect(await lead('npm:@acme/time')).toBe('acme/servers#Time MCP Server');
  });

  it('are stored alike in any order and any division into imports; a second import writes nothing', async () => {
    const other = await createImportWorkspace();
    try {
      await work.store(...STATED);
      for (const row of [STATED[0], ...STATED.slice(1).reverse()]) await other.store(row ?? '');

      expect(await registryState(other.database)).toEqual(await registryState(work.database));

      const versions = await rowVersions(work.database);
      expect((await work.store(...STATED)).kinds.artifact).toMatchObject({
        added: 0,
        changed: 0,
        unchanged: 3,
      });
      expect(await rowVersions(work.database)).toEqual(versions);
    } finally {
      await other.close();
    }
  });

  itAtNight(
    'that earlier imports stored apart become the oldest one, to which the other UUIDs lead',
    async () => {
      await work.store(listing('acme/servers'), time('Clock'));
      const [oldest] = await artifacts();
      const former = await storeSeparately('Time MCP Server');

      await work.store(time('Clock'), time('Time MCP Server'));

      expect(await artifacts()).toMatchObject([{ id: oldest?.id, name: 'Time MCP Server' }]);
      expect(await lead(former)).toBe('acme/servers#Time MCP Server');
      expect(await lead(oldest?.id ?? '')).toBe('acme/servers#Time MCP Server');
      const scores = await work.database.query('SELECT FROM score WHERE subject_id = $1', [former]);
      expect(scores.length).toBeGreaterThan(0);
    },
  );

  it('keep former UUIDs through later changes, and receipts find what they are about', async () => {
    await work.store(listing('acme/servers'), time('Clock'));
    const [oldest] = await artifacts();
    const former = await storeSeparately('Time MCP Server');
    await work.store(time('Clock'), time('Time MCP Server'));

    await work.store(time('Clock', { description: 'Changed.' }));
    await work.store(listing('acme/servers', { formerRepositories: ['acme/old'] }));

    expect(await lead(former)).toBe('acme/servers#Time MCP Server');
    expect(await lead('acme/old#Clock')).toBe('acme/servers#Time MCP Server');
    const asked = [former, oldest?.id ?? ''].map((id) => ({ id, type: 'skill' as const }));
    const known = await loadSubjects(work.database, asked, publicUrls);
    expect(asked.map(({ id }) => known.get(id)?.publicPath)).toEqual([
      '/s/acme/servers/Time%20MCP%20Server',
      '/s/acme/servers/Time%20MCP%20Server',
    ]);
    expect(known.get(former)?.id).toBe(former);
  });

  itAtNight('become two when a source states another path for one of the names', async () => {
    await work.store(...STATED);
    const [, before] = await artifacts();

    await work.store(time('Clock', { path: 'src/clock' }));

    const after = await artifacts();
    expect(after.map(({ name }) => name)).toEqual(['Clock', 'Fetch', 'Time MCP Server']);
    expect(after[2]?.id).toBe(before?.id);
    expect(await lead('acme/servers#Clock')).toBe('acme/servers#Clock');
  });

  itAtNight('become one when a source states the path of another artifact', async () => {
    await work.store(listing('acme/servers'), time('Clock'), time('Watch', { path: 'src/watch' }));

    await work.store(time('Watch'));

    expect(await artifacts()).toMatchObject([{ name: 'Clock' }]);
    expect(await lead('acme/servers#Watch')).toBe('acme/servers#Clock');
    expect(await lead('acme/servers/src/watch')).toBe('subject_not_found');
  });

  itAtNight('of a listing that was delisted and relisted answer to the same names', async () => {
    await work.store(...STATED);
    const before = await registryState(work.database);

    await delistListing(work.database, { text: 'acme/servers', reason: 'A test.', publicUrls });
    await relistListing(work.database, 'acme/servers', publicUrls);

    expect((await registryState(work.database)).aliases).toEqual(before.aliases);
    expect((await work.store(...STATED)).kinds.artifact).toMatchObject({ unchanged: 3 });
  });
});
