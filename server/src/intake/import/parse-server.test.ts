import { describe, expect, it } from 'vitest';
import { server } from '../../../testing/import/rows.ts';
import { parseAccepted, parseRow } from './parse-row.ts';

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

const parse = (row: unknown) => parseRow(JSON.stringify(row));

function entriesOf(row: unknown) {
  const parsed = parse(row);
  if (parsed.kind !== 'server' || 'reason' in parsed) throw new Error(JSON.stringify(parsed));
  return parsed.row.entries;
}

function reasonOf(row: unknown): string {
  const parsed = parse(row);
  return 'reason' in parsed ? parsed.reason : 'accepted';
}

describe('an entry of the MCP registry', () => {
  it('is read with its repository, packages and hosts, whatever its texts contain', () => {
    const row = server(
      'io.github.acme/robot',
      'Acme/Robot',
      [
        ['npm', '@acme/robot'],
        ['oci', 'docker.io/acme/robot:1', { registryBaseUrl: 'https://docker.io' }],
      ],
      {
        remotes: [
          { type: 'sse', url: 'https://MCP.acme.example/sse' },
          { url: '{base}/x' },
          { url: 'https://mcp.acme.example/mcp' },
        ],
        repositoryId: '12',
      },
    );

    const [entry] = entriesOf(row);

    expect(entry).toEqual({
      serverName: 'io.github.acme/robot',
      version: '1.0.0',
      status: 'active',
      isLatest: true,
      publishedAt: '2025-12-01T10:00:00.000001Z',
      updatedAt: '2025-12-01T10:00:00.000001Z',
      host: 'github.com',
      repository: 'Acme/Robot',
      subfolder: null,
      hostRepositoryId: '12',
      packages: [
        { registryType: 'npm', identifier: '@acme/robot', version: '1.0.0', registryBaseUrl: null },
        {
          registryType: 'oci',
          identifier: 'docker.io/acme/robot:1',
          version: '1.0.0',
          registryBaseUrl: 'https://docker.io',
        },
      ],
      remoteHosts: ['mcp.acme.example'],
      secrets: [],
    });
    expect(parseAccepted(JSON.stringify(row))).toEqual(parse(row));
  });

  it('names the inputs that are secret, of packages and of remote endpoints', () => {
    const row = server('io.github.acme/robot', 'acme/robot') as { server: Record<string, unknown> };
    const input = (name: unknown, isSecret: unknown) => ({ name, isSecret });
    const packages = [
      {
        registryType: 'npm',
        identifier: 'robot',
        environmentVariables: [input('API_KEY', true), input('LOG_LEVEL', false), input('API_KEY', true)],
        packageArguments: [input('--token', true), input(7, true), input('--wide', 'true')],
      },
    ];
    const remotes = [{ url: 'https://mcp.acme.example', headers: [input('Authorization', true), null] }];

    const [entry] = entriesOf({ ...row, server: { ...row.server, packages, remotes } });

    expect(entry?.secrets).toEqual(['--token', 'API_KEY', 'Authorization']);
  });

  it('has no repository without one on a known host', () => {
    const named = (url: unknown) => {
      const row = server('io.github.acme/robot', 'acme/robot') as { server: Record<string, unknown> };
      return entriesOf({ ...row, server: { ...row.server, repository: { url, subfolder: 'src' } } })[0];
    };

    for (const url of ['https://git.example/acme/robot', 'https://github.com/acme', '', null, {}]) {
      expect(named(url)).toMatchObject({ host: null, repository: null, subfolder: null });
    }
    expect(named('git+https://github.com/acme/robot.git')).toMatchObject({
      host: 'github.com',
      repository: 'acme/robot',
      subfolder: 'src',
    });
  });

  it('leaves out packages whose names cannot be stored', () => {
    const row = server('io.github.acme/robot', null, [
      ['npm', 'a b'],
      ['npm', 'line\nbreak'],
      ['NPM', 'robot'],
    ]);

    expect(entriesOf(row)[0]?.packages).toMatchObject([{ registryType: 'npm', identifier: 'robot' }]);
  });

  it('is rejected with the field that is wrong', () => {
    const row = server('io.github.acme/robot', null) as {
      server: Record<string, unknown>;
      _meta: Record<string, Record<string, unknown>>;
    };
    const official = row._meta[OFFICIAL];
    const withOfficial = (changes: object) => ({
      ...row,
      _meta: { [OFFICIAL]: { ...official, ...changes } },
    });

    expect(reasonOf({ ...row, server: { ...row.server, name: 'robot' } })).toBe(
      'server.name: must be namespace/name',
    );
    expect(reasonOf({ ...row, server: { ...row.server, version: undefined } })).toBe(
      'server.version: is missing',
    );
    expect(reasonOf({ ...row, server: { ...row.server, version: 'a\nb' } })).toContain(
      'server.version: must',
    );
    expect(reasonOf({ ...row, _meta: {} })).toBe(`_meta.${OFFICIAL}: is missing`);
    expect(reasonOf({ ...row, server: { ...row.server, version: '1.0 \u00ba' } })).toBe('accepted');
    expect(reasonOf({ ...row, server: { ...row.server, version: '1.0\ud800' } })).toContain(
      'server.version: must',
    );
    expect(reasonOf(withOfficial({ status: 'gone' }))).toBe(
      `_meta.${OFFICIAL}.status: must be one of active, deprecated, deleted`,
    );
    expect(reasonOf(withOfficial({ updatedAt: 'yesterday' }))).toContain(
      `_meta.${OFFICIAL}.updatedAt: must be a date`,
    );
    expect(reasonOf({ server: 1, _meta: 1 })).toContain('server: must be an object');
  });
});

describe('an answer of the MCP registry', () => {
  it('is read with all of its entries', () => {
    const servers = [server('io.github.acme/a', null), server('io.github.acme/b', null)];

    const names = entriesOf({ servers, metadata: { count: 2 } }).map(({ serverName }) => serverName);

    expect(names).toEqual(['io.github.acme/a', 'io.github.acme/b']);
    expect(entriesOf({ servers: [] })).toEqual([]);
  });

  it('is rejected with the place of the entry that is wrong', () => {
    const bad = server('io.github.acme/b', null, [], { status: 'gone' });

    expect(reasonOf({ servers: [server('io.github.acme/a', null), bad] })).toContain(
      'servers, entry 2: _meta.',
    );
    expect(reasonOf({ servers: [null] })).toBe('servers, entry 1: must be an object');
    expect(reasonOf({ servers: {} })).toBe('servers: must be a list of entries');
  });
});
