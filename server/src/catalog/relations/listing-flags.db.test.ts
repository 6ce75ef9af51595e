import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { listing, relation } from '../../../testing/import/rows.ts';
import { loadListingFlags } from './listing-flags.ts';

let work: ImportWorkspace;

beforeAll(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.empty());
afterAll(() => work.close());

/** Formats the flags of every listing on one line each, by repository. Leaves out listings without flags. */
async function marks(): Promise<Record<string, string>> {
  const listings = await work.database.query<{ id: string; repository: string }>(
    'SELECT subject_id AS id, repository FROM listing ORDER BY repository',
  );
  const found = await loadListingFlags(
    work.database,
    listings.map(({ id }) => id),
  );
  const lines = listings.flatMap(({ id, repository }) => {
    const mark = found.get(id);
    if (!mark) return [];
    const parts = [
      mark.newer && `${mark.newer.stated ? 'now' : 'probably now'} ${mark.newer.repository}`,
      ...mark.older.map(({ repository: old }) => `was ${old}`),
      mark.copyOf && `${mark.copyOf.relation} ${mark.copyOf.repository}`,
    ];
    return [[repository, parts.filter(Boolean).join(', ')]];
  });
  return Object.fromEntries(lines);
}

const inferred = { stated: false };
const undirected = { stated: false, directed: false };

describe('flags of listings', () => {
  it('link every older name to the newest one and back, however long the chain', async () => {
    await work.store(
      ...['acme/first', 'acme/second', 'acme/third', 'acme/alone'].map((name) => listing(name)),
      relation('probable_rename_to', 'acme/first', 'acme/second', inferred),
      relation('probable_rename_to', 'acme/second', 'acme/third', inferred),
    );

    expect(await marks()).toEqual({
      'acme/first': 'probably now acme/third',
      'acme/second': 'probably now acme/third, was acme/first',
      'acme/third': 'was acme/second',
    });
  });

  it('include a listing’s own statement of its newer name, even if that is listed later', async () => {
    await work.store(listing('acme/old', { probablyRenamedTo: 'acme/new' }));
    expect(await marks()).toEqual({});

    await work.store(listing('acme/new'));
    expect(await marks()).toEqual({ 'acme/old': 'probably now acme/new', 'acme/new': 'was acme/old' });

    await work.store(listing('acme/old'));
    expect(await marks()).toEqual({});
  });

  it('have no newest name if renames form a cycle', async () => {
    await work.store(
      ...['acme/a', 'acme/b', 'acme/c'].map((name) => listing(name)),
      relation('probable_rename_to', 'acme/a', 'acme/b', inferred),
      relation('probable_rename_to', 'acme/b', 'acme/a', inferred),
      relation('probable_rename_to', 'acme/c', 'acme/a', inferred),
    );

    const found = await marks();
    expect(Object.values(found).join()).not.toContain('now');
  });

  it('mark one of two as the copy: the stated one, otherwise the later repository', async () => {
    await work.store(
      listing('acme/original', { createdAt: '2025-01-01T00:00:00Z' }),
      listing('fan/later', { createdAt: '2025-06-01T00:00:00Z' }),
      listing('fan/undated'),
      listing('fan/duplicate'),
      relation('same_name_and_description', 'acme/original', 'fan/later', undirected),
      relation('same_tool_manifest', 'fan/undated', 'acme/original', undirected),
      relation('duplicate_of', 'fan/duplicate', 'fan/later'),
    );

    expect(await marks()).toEqual({
      'fan/later': 'same_name_and_description acme/original',
      'fan/duplicate': 'duplicate_of fan/later',
    });
  });

  it('ignore relations of single files and of descent', async () => {
    await work.store(
      listing('acme/skills'),
      listing('fan/skills'),
      relation('copied_from', 'fan/skills#a/SKILL.md', 'acme/skills', inferred),
      relation('duplicate_of', 'fan/skills#b', 'acme/skills#b'),
      relation('fork_of', 'fan/skills', 'acme/skills'),
    );

    expect(await marks()).toEqual({});
  });

  it('take one statement, whatever the number of listings', async () => {
    await work.store(...Array.from({ length: 30 }, (_, n) => listing(`acme/tool-${n}`)));
    const rows = await work.database.query<{ id: string }>('SELECT subject_id AS id FROM listing');
    let sent = 0;
    const counting = {
      ...work.database,
      query: (...asked: Parameters<typeof work.database.query>) => {
        sent += 1;
        return work.database.query(...asked);
      },
    } as typeof work.database;

    await loadListingFlags(
      counting,
      rows.map(({ id }) => id),
    );

    expect(sent).toBe(1);
  });
});
