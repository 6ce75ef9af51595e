import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { rowVersions } from '../../../testing/import/registry-state.ts';
import { server } from '../../../testing/import/rows.ts';

const NAME = 'io.github.acme/robot';

let work: ImportWorkspace;

beforeAll(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.empty());
afterAll(() => work.close());

const stored = () =>
  work.database.query<Record<string, unknown>>(
    `SELECT server_name AS name, version, status, is_latest AS "isLatest", utc_text(updated_at) AS "updatedAt"
     FROM mcp_registry_entry ORDER BY 1, 2`,
  );

describe('entries of the MCP registry', () => {
  it('are stored with source, address, licence and time', async () => {
    const { kinds } = await work.store(server(NAME, 'acme/robot', [['npm', 'robot']]));

    expect(kinds.server).toEqual({ read: 1, added: 1, changed: 0, unchanged: 0, rejected: 0 });
    expect(await work.database.query('SELECT * FROM mcp_registry_entry')).toMatchObject([
      {
        host: 'github.com',
        repository: 'acme/robot',
        packages: [{ registryType: 'npm', identifier: 'robot', version: '1.0.0', registryBaseUrl: null }],
        remote_hosts: [],
        source: 'registry.modelcontextprotocol.io',
        url: 'https://registry.modelcontextprotocol.io/v0.1/servers/io.github.acme%2Frobot/versions/1.0.0',
        license: 'CC0-1.0',
        observed_at: expect.any(Date),
      },
    ]);
  });

  it('of a whole answer are stored one by one, and its line is counted once', async () => {
    const servers = [server(NAME, null), server(NAME, null, [], { version: '1.1.0' })];

    const { kinds } = await work.store({ servers, metadata: { count: 2 } });

    expect(kinds.server).toMatchObject({ read: 1, added: 1 });
    expect((await stored()).map(({ version }) => version)).toEqual(['1.0.0', '1.1.0']);
  });

  it('are replaced by a later update only, and written only once', async () => {
    const first = server(NAME, null);
    const later = server(NAME, null, [], { status: 'deprecated', updatedAt: '2025-12-01T10:00:00.000002Z' });
    await work.store(first);
    const before = await rowVersions(work.database);

    const again = await work.store(first);
    expect(await rowVersions(work.database)).toEqual(before);
    const changed = await work.store(later);
    const old = await work.store(first);

    expect([again, changed, old].map(({ kinds }) => [kinds.server.unchanged, kinds.server.changed])).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
    ]);
    expect(await stored()).toMatchObject([
      { status: 'deprecated', updatedAt: '2025-12-01T10:00:00.000002Z' },
    ]);
  });

  it('are the same in any order of lines and files', async () => {
    const versions = [
      server(NAME, null),
      server(NAME, null, [], { isLatest: false }),
      server(NAME, null, [], { status: 'deleted' }),
      server(NAME, null, [['npm', 'other']]),
    ];
    await work.store(...versions);
    const inOrder = await stored();
    await work.database.query('DELETE FROM mcp_registry_entry');

    for (const version of versions.toReversed()) await work.store(version);

    expect(inOrder).toMatchObject([{ status: 'deleted' }]);
    expect(await stored()).toEqual(inOrder);
  });

  it('that are invalid go to the rejects, and the others are stored', async () => {
    const { kinds } = await work.store(server('robot', null), server(NAME, null));

    expect(kinds.server).toMatchObject({ read: 2, added: 1, rejected: 1 });
    expect(await work.rejects()).toMatchObject([
      { code: 'invalid', reason: 'server.name: must be namespace/name' },
    ]);
  });
});
