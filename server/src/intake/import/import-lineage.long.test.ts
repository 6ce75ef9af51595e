import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { listing, type Row, relation } from '../../../testing/import/rows.ts';

let work: ImportWorkspace;

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

/** Returns each parent as `child relation parent`, with `claimed` if a source only infers it. */
async function edges(): Promise<string[]> {
  const rows = await work.database.query<{ edge: string }>(
    `SELECT c.repository || ' ' || c.parent_relation || ' ' || p.repository ||
       CASE WHEN c.parent_stated THEN '' ELSE ' claimed' END AS edge
     FROM listing c JOIN listing p ON p.subject_id = c.parent_id ORDER BY 1`,
  );
  return rows.map(({ edge }) => edge);
}

/** Returns how often a listing was scored, and the parent's trust in its last score. */
async function scoring(repository: string): Promise<{ versions: number; parentTrust: number | null }> {
  const [row] = await work.database.query<{ versions: number; parentTrust: number | null }>(
    `SELECT count(*) OVER () AS versions, (v.inputs #>> '{facts,parents,0,score,ownTrust}')::float8 AS "parentTrust"
     FROM listing l JOIN score v USING (subject_id) WHERE l.repository = $1 ORDER BY v.version DESC LIMIT 1`,
    [repository],
  );
  if (!row) throw new Error(`${repository} has no score`);
  return row;
}

const stated = (type: string, parentRepository: string): Row => ({ parentRelation: type, parentRepository });

describe('lineage of an import', () => {
  itAtNight("comes from relations and from a listing's own statement", async () => {
    await work.store(
      listing('a/root'),
      listing('b/fork', stated('fork_of', 'a/root')),
      listing('c/built'),
      relation('built_on', 'c/built', 'b/fork', { stated: false }),
    );

    expect(await edges()).toEqual(['b/fork fork_of a/root', 'c/built built_on b/fork claimed']);
  });

  it('is made later, when the missing end arrives', async () => {
    await work.store(
      listing('b/fork', stated('fork_of', 'a/root')),
      listing('d/port'),
      relation('port_of', 'd/port', 'a/past'),
      relation('based_on', 'e/late', 'b/fork'),
    );
    expect(await edges()).toEqual([]);

    await work.store(listing('a/root', { formerRepositories: ['a/past'] }), listing('e/late'));

    expect(await edges()).toEqual([
      'b/fork fork_of a/root',
      'd/port port_of a/root',
      'e/late based_on b/fork',
    ]);
  });

  itAtNight('is one parent per listing, the strongest statement; the others stay relations', async () => {
    await work.store(
      listing('a/one'),
      listing('a/two'),
      listing('b/child'),
      relation('built_on', 'b/child', 'a/one'),
      relation('based_on', 'b/child', 'a/two'),
    );
    expect(await edges()).toEqual(['b/child based_on a/two']);

    await work.store(relation('fork_of', 'b/child', 'a/one', { stated: false, source: 'other/list' }));

    expect(await edges()).toEqual(['b/child fork_of a/one claimed']);
    expect(await work.database.query('SELECT count(*) AS count FROM relation')).toEqual([{ count: 3 }]);
  });

  itAtNight.each([
    ['a file', relation('fork_of', 'b/child#skills/x', 'a/root')],
    ['undirected', relation('fork_of', 'b/child', 'a/root', { directed: false })],
    ['of another sort', relation('inspired_by', 'b/child', 'a/root')],
    ['with an end that is not listed', relation('fork_of', 'b/child', 'nobody/nothing')],
  ])('does not come from a relation that is %s, which is kept', async (_, row) => {
    const summary = await work.store(listing('a/root'), listing('b/child'), row);

    expect(summary.kinds.relation.added).toBe(1);
    expect(await edges()).toEqual([]);
  });

  it('never forms a cycle, and drops the same edge in any order of the statements', async () => {
    const circle = [
      relation('fork_of', 'a/a', 'b/b'),
      relation('fork_of', 'b/b', 'c/c'),
      relation('fork_of', 'c/c', 'a/a'),
    ];
    const kept: string[][] = [];
    for (const order of [circle, [...circle].reverse()]) {
      const other = await createImportWorkspace();
      await other.store(listing('a/a'), listing('b/b'), listing('c/c'));
      for (const row of order) await other.store(row);
      const rows = await other.database.query<{ child: string }>(
        'SELECT repository AS child FROM listing WHERE parent_id IS NOT NULL ORDER BY 1',
      );
      kept.push(rows.map(({ child }) => child));
      await other.close();
    }

    expect(kept).toEqual([
      ['a/a', 'b/b'],
      ['a/a', 'b/b'],
    ]);
  });

  itAtNight('goes when a listing no longer states it', async () => {
    await work.store(listing('a/root'), listing('b/fork', stated('fork_of', 'a/root')));

    await work.store(listing('b/fork'));

    expect(await edges()).toEqual([]);
    expect(await work.database.query('SELECT count(*) AS count FROM relation')).toEqual([{ count: 0 }]);
  });

  it('keeps an acknowledgement as long as the parent stays, and no longer', async () => {
    await work.store(
      listing('a/one'),
      listing('a/two'),
      listing('b/child'),
      relation('based_on', 'b/child', 'a/one'),
    );
    await work.database.query(
      'UPDATE listing SET parent_acknowledged_at = ledger_now() WHERE parent_id IS NOT NULL',
    );
    const acknowledged = async () =>
      work.database.query(
        `SELECT parent_acknowledged_at IS NOT NULL AS yes FROM listing WHERE repository = 'b/child'`,
      );

    await work.store(relation('port_of', 'b/child', 'a/one'));
    expect(await acknowledged()).toEqual([{ yes: true }]);

    await work.store(relation('fork_of', 'b/child', 'a/two'));
    expect(await acknowledged()).toEqual([{ yes: false }]);
  });

  it("scores a child again when its parent's own facts change, and not the rest", async () => {
    const famous = {
      stars: 8000,
      forks: 900,
      metricsAsOf: '2026-11-01',
      metricsSource: 'acme/list',
      license: 'MIT',
    };
    await work.store(
      listing('a/root', { createdAt: '2020-01-01T00:00:00Z' }),
      listing('a/fork', stated('fork_of', 'a/root')),
      listing('c/apart'),
    );
    const [fork, apart] = [await scoring('a/fork'), await scoring('c/apart')];

    await work.store(listing('a/root', { createdAt: '2020-01-01T00:00:00Z', ...famous }));

    const again = await scoring('a/fork');
    expect(again.versions).toBe(fork.versions + 1);
    expect(again.parentTrust).toBeGreaterThan(fork.parentTrust ?? 100);
    expect(await scoring('c/apart')).toEqual(apart);
  });
});
