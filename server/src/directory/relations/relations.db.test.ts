import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { artifact, listing, relation } from '../../../testing/import/rows.ts';
import { loadRelationsOf, presentRelations } from './relation.presenter.ts';
import { FIRST_PAGE, relationsWithFirstSeen } from './relations.fragment.ts';
import type { ListingRelationRow } from './relations.queries.ts';
import {
  type ListingRelations,
  loadFileRelations,
  loadListingGroups,
  type RelationGroup,
  toListingRelations,
} from './relations.ts';

let work: ImportWorkspace;

beforeAll(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.empty());
afterAll(() => work.close());

async function idOf(repository: string): Promise<string> {
  const [row] = await work.database.query<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE repository = $1',
    [repository],
  );
  if (!row) throw new Error(`${repository} is not listed`);
  return row.id;
}

/** Formats each group as one line: `direction kind: others`, with the number of shared files. */
function lines(groups: readonly RelationGroup[]): string[] {
  return groups.map(({ direction, kind, others, shown }) => {
    const named = shown.map(({ other, files }) => other.repository + (files > 0 ? ` (${files})` : ''));
    return `${direction} ${kind} ${others}: ${named.join(', ')}`;
  });
}

/** Loads the relations of a listing as its page does, which embeds this SQL in its own statement. */
async function loadListingRelations({ database }: ImportWorkspace, id: string): Promise<ListingRelations> {
  const sql = relationsWithFirstSeen(`SELECT 0 AS n, $1::uuid AS id, ${FIRST_PAGE}`);
  return toListingRelations(await database.query<ListingRelationRow>(sql, [id]));
}

const ofListing = async (repository: string) =>
  lines((await loadListingRelations(work, await idOf(repository))).groups);
const ofFile = async (repository: string, path: string) =>
  lines(await loadFileRelations(work.database, await idOf(repository), path));

const inferred = { stated: false };
const undirected = { stated: false, directed: false };
const same = (from: string, to: string) =>
  relation('identical_skill_file', from, to, { ...undirected, evidence: 'both files are git blob 0a' });

describe('relations of a listing', () => {
  it('appear at both ends, whatever their kind, even if the other end is not listed', async () => {
    await work.store(
      listing('acme/a'),
      listing('acme/b'),
      relation('fork_of', 'acme/a', 'acme/b'),
      relation('inspired_by', 'acme/a', 'else/where'),
      relation('successor_of', 'acme/b', 'acme/a'),
      relation('same_tool_manifest', 'acme/b', 'acme/a', undirected),
      relation('ported_with_love', 'acme/a', 'acme/b'),
    );

    expect(await ofListing('acme/a')).toEqual([
      'out fork_of 1: acme/b',
      'out inspired_by 1: else/where',
      'out ported_with_love 1: acme/b',
      'both same_tool_manifest 1: acme/b',
      'in successor_of 1: acme/b',
    ]);
    expect(await ofListing('acme/b')).toEqual([
      'in fork_of 1: acme/a',
      'in ported_with_love 1: acme/a',
      'both same_tool_manifest 1: acme/a',
      'out successor_of 1: acme/a',
    ]);
  });

  it('appear once if several sources state them, with evidence, source and time', async () => {
    await work.store(
      listing('acme/a'),
      listing('acme/b'),
      relation('fork_of', 'acme/a', 'acme/b', { source: 'one/list', stated: false }),
      relation('fork_of', 'Acme/A', 'acme/B', { source: 'two/list', evidence: 'a fork' }),
    );

    const { groups } = await loadListingRelations(work, await idOf('acme/a'));

    expect(groups).toHaveLength(1);
    expect(groups[0]).toMatchObject({ others: 1, ofFiles: false });
    expect(groups[0]?.shown[0]).toMatchObject({ evidence: 'a fork', source: 'two/list', stated: true });
    expect(groups[0]?.shown[0]?.since).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('contain every former name once: stated by a relation, by the row, or observed', async () => {
    await work.store(
      listing('acme/new', { formerRepositories: ['acme/Older', 'acme/old'], githubRepoId: '7' }),
      relation('renamed_to', 'acme/old', 'acme/new'),
    );
    await work.store(listing('acme/newest', { githubRepoId: '7' }));

    expect(await ofListing('acme/newest')).toEqual(['in renamed_to 3: acme/new, acme/old, acme/older']);
    const { groups } = await loadListingRelations(work, await idOf('acme/newest'));
    expect(groups[0]?.shown.map(({ source }) => source)).toEqual([null, 'acme/list', null]);
  });

  it('are grouped over its files: repositories that share most files first, each file once', async () => {
    await work.store(
      listing('acme/skills'),
      listing('fan/one'),
      listing('fan/two'),
      same('acme/skills#a/SKILL.md', 'fan/one#x/SKILL.md'),
      same('acme/skills#b/SKILL.md', 'fan/one#y/SKILL.md'),
      same('fan/two#z/SKILL.md', 'acme/skills#b/SKILL.md'),
      relation('copied_from', 'fan/two#z/SKILL.md', 'acme/skills', inferred),
    );

    expect(await ofListing('acme/skills')).toEqual([
      'in copied_from 1: fan/two (1)',
      'both identical_skill_file 2: fan/one (2), fan/two (1)',
    ]);
    const { groups } = await loadListingRelations(work, await idOf('acme/skills'));
    expect(groups[1]).toMatchObject({ files: 2, ofFiles: true });
    expect(groups[0]?.ofFiles).toBe(false);
  });

  it('show the oldest repository of its files if two or more dates are known', async () => {
    const made = (year: number) => ({ createdAt: `${year}-01-01T00:00:00Z` });
    await work.store(
      listing('acme/skills', made(2025)),
      listing('first/skills', made(2023)),
      listing('star/skills', made(2024)),
      listing('undated/skills'),
      ...['a', 'b'].flatMap((file) => [
        same(`acme/skills#${file}/SKILL.md`, `star/skills#${file}/SKILL.md`),
        same(`first/skills#${file}/SKILL.md`, `star/skills#${file}/SKILL.md`),
      ]),
      same('acme/skills#c/SKILL.md', 'undated/skills#c/SKILL.md'),
      artifact('acme/skills', 'a', { path: 'a' }),
      artifact('acme/skills', 'own'),
      artifact('acme/skills', 'server', { kind: 'mcp-server' }),
    );

    const found = await loadListingRelations(work, await idOf('acme/skills'));

    expect(found.firstSeen).toEqual([expect.objectContaining({ repository: 'first/skills', files: 2 })]);
    expect([found.skills, found.copiedSkills]).toEqual([2, 1]);
  });

  it('are bounded, with the total number and the rest on further pages', async () => {
    await work.store(
      listing('acme/skills'),
      ...Array.from({ length: 12 }, (_, n) => listing(`fan/copy-${n}`)),
      ...Array.from({ length: 12 }, (_, n) => same(`fan/copy-${n}#a/SKILL.md`, 'acme/skills#a/SKILL.md')),
    );
    const id = await idOf('acme/skills');
    const asked = { kind: 'identical_skill_file', direction: 'both', most: 5 };

    const pages = await Promise.all(
      [0, 5, 10].map((skip) => loadListingGroups(work.database, id, { ...asked, skip })),
    );

    const names = pages.flatMap(([group]) => group?.shown.map(({ other }) => other.repository));
    expect(new Set(names).size).toBe(12);
    expect(pages.map(([group]) => group?.others)).toEqual([12, 12, 12]);
  });
});

it('have kind, direction, evidence and source in the API, with a maximum per kind', async () => {
  await work.store(
    listing('acme/a'),
    listing('acme/b'),
    relation('fork_of', 'acme/a', 'acme/b', { evidence: 'a fork' }),
    same('acme/a#x/SKILL.md', 'else/where#x/SKILL.md'),
    same('acme/a#x/SKILL.md', 'else/more#x/SKILL.md'),
  );
  const asked = { kind: null, direction: null, most: 1, skip: 0 };

  const told = presentRelations(await loadListingGroups(work.database, await idOf('acme/a'), asked));

  const [{ agentId }] = (await work.database.query<{ agentId: string }>(
    `SELECT agent_id AS "agentId" FROM listing WHERE repository = 'acme/b'`,
  )) as [{ agentId: string }];
  const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect(told).toEqual([
    {
      kind: 'fork_of',
      direction: 'outgoing',
      subject: { id: agentId, repository: 'acme/b' },
      among: 1,
      stated: true,
      evidence: 'a fork',
      source: 'acme/list',
      since,
    },
    {
      kind: 'identical_skill_file',
      direction: 'mutual',
      subject: { id: null, repository: 'else/more' },
      files: 1,
      among: 2,
      stated: false,
      evidence: 'both files are git blob 0a',
      source: 'acme/list',
      since,
    },
  ]);
});

describe('relations of a file', () => {
  it('have the path of the other file in the API', async () => {
    await work.store(
      listing('acme/skills'),
      listing('fan/skills'),
      artifact('acme/skills', 'Maps', { path: 'maps' }),
      same('acme/skills#maps/SKILL.md', 'fan/skills#copied/SKILL.md'),
    );
    const [row] = await work.database.query<{ id: string }>('SELECT subject_id AS id FROM artifact');
    const inside = { id: row?.id ?? '', type: 'skill', agentId: null } as const;
    const asked = { kind: null, direction: null, most: 20, skip: 0 };

    const told = presentRelations(await loadRelationsOf(work.database, inside, asked), 'file');

    expect(told).toMatchObject([
      {
        kind: 'identical_skill_file',
        direction: 'mutual',
        subject: { repository: 'fan/skills', path: 'copied/SKILL.md' },
        among: 1,
      },
    ]);
  });

  it('contain all identical files, oldest repository first, even around an unlisted one', async () => {
    await work.store(
      listing('acme/old', { createdAt: '2023-01-01T00:00:00Z' }),
      listing('acme/young', { createdAt: '2025-01-01T00:00:00Z' }),
      listing('acme/star', { stars: 900, metricsAsOf: '2026-01-01' }),
      same('acme/young#x/SKILL.md', 'acme/star#s/SKILL.md'),
      same('acme/old#y/SKILL.md', 'acme/star#s/SKILL.md'),
      same('acme/young#u/SKILL.md', 'un/listed#q/SKILL.md'),
      same('acme/old#v/SKILL.md', 'un/listed#q/SKILL.md'),
    );

    expect(await ofFile('acme/young', 'x')).toEqual([
      'both identical_skill_file 2: acme/old (1), acme/star (1)',
    ]);
    expect(await ofFile('acme/star', 's/SKILL.md')).toEqual([
      'both identical_skill_file 2: acme/old (1), acme/young (1)',
    ]);
    expect(await ofFile('acme/young', 'u')).toEqual([
      'both identical_skill_file 2: acme/old (1), un/listed (1)',
    ]);
    expect(await ofFile('acme/young', 'other')).toEqual([]);
  });

  it('link to the artifact of the other file', async () => {
    await work.store(
      listing('acme/skills'),
      listing('Fan/Skills'),
      artifact('Fan/Skills', 'Map Maker', { path: 'skills/Maps' }),
      same('acme/skills#maps/SKILL.md', 'Fan/Skills#skills/Maps/SKILL.md'),
      relation('duplicate_of', 'acme/skills#maps', 'Fan/Skills#skills/Maps'),
    );

    const groups = await loadFileRelations(work.database, await idOf('acme/skills'), 'maps/');

    expect(groups.map(({ direction, kind }) => `${direction} ${kind}`)).toEqual([
      'out duplicate_of',
      'both identical_skill_file',
    ]);
    for (const { shown } of groups)
      expect(shown[0]?.other).toMatchObject({ name: 'Map Maker', repository: 'Fan/Skills' });
  });
});
