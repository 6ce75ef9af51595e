import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { account, artifact, creator, listing, type Row, relation } from '../../../testing/import/rows.ts';
import { parseRow } from './parse-row.ts';

function parse(row: Row) {
  return parseRow(JSON.stringify(row));
}

function reasonOf(row: Row): string {
  const parsed = parse(row);
  return 'reason' in parsed ? parsed.reason : 'stored';
}

describe('parseRow', () => {
  it.each([
    ['listing', listing('acme/tool')],
    ['listing', { repository: 'acme/tool', type: 'skill' }],
    ['creator', creator('acme')],
    ['artifact', artifact('acme/tool', 'part')],
    ['relation', relation('fork_of', 'a/b', 'c/d')],
    ['account', { handle: 'acme', host: 'social.example', platform: 'social' }],
    ['account', account('x', 'acme')],
    [null, { repository: 'acme/tool' }],
    [null, {}],
  ])('tells a %s by its fields', (kind, row) => {
    expect(parse(row).kind).toBe(kind);
  });

  it('keeps what is not stated as null, and the whole row with fields it does not know', () => {
    const row = { ...listing('acme/tool', { description: null }), later: { added: true } };
    const parsed = parse(row);

    expect(parsed).toMatchObject({
      row: {
        description: '',
        stars: null,
        forks: null,
        openIssues: null,
        lastCommitAt: null,
        license: null,
        hostRepositoryId: null,
        imported: row,
      },
    });
  });

  it('takes a row that leaves out every field that may be null', () => {
    const row = {
      type: 'skill',
      kind: 'skill',
      name: 'x',
      category: 'data',
      host: 'github.com',
      sources: ['a/b'],
    };

    expect(parse({ ...row, repository: 'acme/x' })).toMatchObject({
      row: { repositoryUrl: 'https://github.com/acme/x', tags: [], stars: null },
    });
  });

  it('reads what the sources of real rows state', () => {
    const row = listing('acme/tool', {
      stars: 12,
      forks: 0,
      lastCommit: '2026-08-22T07:26:21Z',
      metricsAsOf: '2026-08-23',
      tags: ['ü', '标签'],
      formerRepositories: ['acme/old'],
    });

    expect(parse(row)).toMatchObject({
      row: {
        stars: 12,
        forks: 0,
        lastCommitAt: '2026-08-22T07:26:21Z',
        metricsObservedAt: '2026-08-23',
        tags: ['ü', '标签'],
        formerRepositories: ['acme/old'],
      },
    });
  });

  const refused: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ stars: -1 }, 'stars: must be a whole number of 0 or more'],
    [{ stars: 1.5 }, 'stars: must be a whole number of 0 or more'],
    [{ stars: '12' }, 'stars: must be a whole number of 0 or more'],
    [{ forks: 2 ** 53 }, 'forks: must be a whole number of 0 or more'],
    [{ category: 'games' }, 'category: must be one of coding, research'],
    [{ type: 'plugin' }, 'type: must be one of agent, skill'],
    [{ name: '   ' }, 'name: is missing'],
    [{ name: null }, 'name: is missing'],
    [{ name: 'x'.repeat(501) }, 'name: longer than 500 characters'],
    [{ tags: 'one' }, 'tags: must be a list of texts'],
    [{ tags: [1] }, 'tags: each must be text'],
    [{ lastCommit: 'yesterday' }, 'lastCommit: must be a date in ISO 8601'],
    [{ lastCommit: '2026-02-30T00:00:00Z' }, 'lastCommit: must be a date in ISO 8601'],
    [{ lastCommit: '2026-02-03T00:00:00' }, 'lastCommit: must be a date in ISO 8601'],
    [{ createdAt: '0000-01-01' }, 'createdAt: must be a date in ISO 8601'],
    [{ createdAt: '0001-01-01T00:00+12:00' }, 'createdAt: must be a date in ISO 8601'],
    [{ lastCommit: '9999-12-31T23:59:59-12:00' }, 'lastCommit: must be a date in ISO 8601'],
    [{ lastCommit: '2026-02-03T00:00:00+16:00' }, 'lastCommit: must be a date in ISO 8601'],
    [{ homepage: 'javascript:alert(1)' }, 'homepage: must be an http or https address'],
    [{ homepage: 'acme.example' }, 'homepage: must be an http or https address'],
    [{ repoUrl: 'https://evil.example/acme/tool' }, 'repoUrl: is not on the host'],
    [{ host: 'directory' }, 'host: must be a host name'],
    [{ host: 'exa mple.com' }, 'host: must be a host name'],
    [{ repository: 'acme' }, 'repository: must be owner/name'],
    [{ repository: 'acme/tool/sub' }, 'repository: must be owner/name'],
    [{ repository: 'acme/..' }, 'repository: must be owner/name'],
    [{ repository: 'acme/to ol' }, 'repository: must be owner/name'],
    [{ repository: 'acme/tool~1' }, 'repository: must be owner/name'],
    [
      { githubRepoId: 0.5 },
      "githubRepoId: must be the host's own id of the repository, a whole number or text of at most 100 characters",
    ],
    [{ formerRepositories: ['no slash'] }, 'formerRepositories: each must be owner/name'],
    [{ sources: [] }, 'sources: must be a list of texts that names at least one source'],
    [{ description: 'line\nbreak' }, 'description: contains a control character'],
    [{ later: ['\u0000'] }, 'later: contains a control character'],
    [{ later: { 'a\u0085b': 1 } }, 'a field name: contains a control character'],
    [{ name: 'half \ud83e' }, 'name: not well-formed Unicode'],
  ];
  it('refuses every listing with a wrong field', async () => {
    const check = ([overrides, reason]: readonly [Record<string, unknown>, string]) => {
      expect(reasonOf(listing('acme/tool', overrides))).toContain(reason);
    };

    await expectEveryRow(refused, ([overrides]) => JSON.stringify(overrides).slice(0, 100), check);
  });

  it('names all problems of a row at once', () => {
    expect(reasonOf(listing('acme/tool', { stars: -1, name: '' }))).toBe(
      'name: is missing; stars: must be a whole number of 0 or more',
    );
  });

  it.each([
    [creator('-_', { starsSum: -1 }), 'starsSum'],
    [creator('a/b'), 'handle: must be an account name'],
    [creator('..'), 'handle: must be an account name'],
    [
      creator('acme', { handleVariants: ['other'] }),
      'handleVariants: may differ from the handle in case only',
    ],
    [
      creator('acme', { mcpRegistryGithubNamespace: 'yes' }),
      'mcpRegistryGithubNamespace: must be true or false',
    ],
    [artifact('acme', 'part'), 'repository: must be owner/name'],
    [artifact('acme/tool', ''), 'name: is missing'],
    [relation('fork_of', 'a/b', 'c'), 'to: must be owner/name or owner/name#path'],
    [relation('fork_of', 'a/b#', 'c/d'), 'from: must be owner/name or owner/name#path'],
    [relation('fork_of', 'a/b#x', 'A/B#y'), 'both ends are in one repository'],
    [relation('fork_of', 'a/b', 'c/d', { directed: null }), 'directed: must be true or false'],
    [relation('fork_of', `a/b#${'é'.repeat(600)}`, 'c/d'), 'from: longer than 1024 bytes'],
  ])('refuses %j', (row, reason) => {
    expect(reasonOf(row)).toContain(reason);
  });

  it('keeps the path of a relation as text, further # included', () => {
    expect(parse(relation('copied_from', 'a/b#x/y#z', 'c/d'))).toMatchObject({
      row: { from: { repository: 'a/b', path: 'x/y#z' }, to: { repository: 'c/d', path: null } },
    });
  });

  it('refuses numbers out of range and endless nesting without failing', () => {
    const row = JSON.stringify(listing('acme/tool'));
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

    expect(parseRow(row.replace('"acme/list"]', '"acme/list"],"later":1e999'))).toMatchObject({
      reason: 'later: number out of range',
    });
    expect(parseRow(row.replace('"acme/list"]', `"acme/list"],"later":${deep}`))).toMatchObject({
      reason: 'nested deeper than 16 levels',
    });
  });

  it('is about the same for every case of a name, and for the same repository id', () => {
    const keys = (row: Row) => {
      const parsed = parse(row);
      return 'keys' in parsed ? parsed.keys : [];
    };

    expect(keys(listing('Acme/Tool'))).toEqual(keys(listing('acme/tool')));
    expect(keys(listing('a/b', { githubRepoId: 1 }))[1]).toBe(keys(listing('c/d', { githubRepoId: '1' }))[1]);
    expect(keys(listing('a/b'))).not.toEqual(keys(listing('a/b', { host: 'gitlab.com' })));
    expect(keys(artifact('a/b', 'X'))).not.toEqual(keys(artifact('a/b', 'x')));
    expect(keys(relation('fork_of', 'a/b', 'c/d'))).not.toEqual(keys(relation('fork_of', 'c/d', 'a/b')));
  });
});
