import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { artifact, listing } from '../../../testing/import/rows.ts';
import { createRefreshWorkspace, type RefreshWorkspace } from '../../../testing/refresh/refresh-workspace.ts';

let work: RefreshWorkspace;
beforeEach(async () => {
  work = await createRefreshWorkspace();
});
afterEach(() => work.close());

const host = () => work.standIn.world;

describe('a repository that was renamed on its host', () => {
  it('keeps its subject and id; both names and its artifacts lead to it, and its new owner is its creator', async () => {
    await work.store(
      listing('old/tool', { githubRepoId: '77', npmPackage: 'tool' }),
      artifact('old/tool', 'inside'),
    );
    const before = await work.state('old/tool');
    host().repository({ id: '77', name: 'new/thing', formerNames: ['old/tool'] });

    const { outcomes } = await work.refresh();

    const after = await work.state('new/thing');
    expect(outcomes).toEqual({ renamed: 1 });
    expect(after).toMatchObject({ id: before.id, hostRepositoryId: '77', creator: 'new', stars: 340 });
    for (const label of ['github.com/old/tool', 'github.com/new/thing', 'npm:tool']) {
      expect(await work.named(label)).toEqual(['new/thing']);
    }
    const inside = await work.database.query<{ label: string }>(
      "SELECT label FROM subject_alias WHERE label LIKE 'github.com/%#inside' ORDER BY 1",
    );
    expect(inside.map(({ label }) => label)).toEqual([
      'github.com/new/thing#inside',
      'github.com/old/tool#inside',
    ]);
  });

  itAtNight('is followed by name alone where no id was known', async () => {
    await work.store(listing('old/tool'));
    const { id } = host().repository({ name: 'new/tool', formerNames: ['old/tool'] });

    await work.refresh();

    expect(await work.state('new/tool')).toMatchObject({ hostRepositoryId: id, outcome: 'renamed' });
  });

  it('takes the name of a listing that is another repository; that one is found again by its own id', async () => {
    await work.store(listing('a/tool', { githubRepoId: '1' }), listing('b/tool', { githubRepoId: '2' }));
    const [first, second] = [await work.state('a/tool'), await work.state('b/tool')];
    host().repository({ id: '1', name: 'b/tool', formerNames: ['a/tool'] });
    host().repository({ id: '2', name: 'b/tool-classic' });

    await work.refresh();
    await work.makeDue();
    await work.refresh();

    expect((await work.state('b/tool')).id).toBe(first.id);
    expect((await work.state('b/tool-classic')).id).toBe(second.id);
  });

  itAtNight(
    'is one listing with the one that has its new name, whichever is read first, unless facts contradict',
    async () => {
      const pairs = [
        ['first/old', 'first/new', 'former'],
        ['second/new', 'second/old', 'current'],
      ] as const;
      for (const [one, other, first] of pairs) {
        await work.store(listing(one));
        await work.store(listing(other));
        const [former, current] = first === 'former' ? [one, other] : [other, one];
        const [merged, kept] = [await work.state(former), await work.state(current)];
        const { id } = host().repository({ name: current, formerNames: [former] });

        const { outcomes } = await work.refresh();

        expect([first, outcomes.merged]).toEqual([first, 1]);
        expect(await work.state(current)).toMatchObject({ id: kept.id, hostRepositoryId: id, stars: 340 });
        expect(await work.named(`github.com/${former}`)).toEqual([current]);
        expect(await work.named(merged.id)).toEqual([current]);
      }
    },
  );

  it('is merged into the listing of its new name although the one of its old name has its id', async () => {
    await work.store(listing('old/tool', { githubRepoId: '5' }), listing('new/tool'));
    const kept = await work.state('new/tool');
    host().repository({ id: '5', name: 'new/tool', formerNames: ['old/tool'] });

    await work.refresh();

    expect(await work.state('new/tool')).toMatchObject({ id: kept.id, hostRepositoryId: '5', stars: 340 });
    expect(await work.named('github.com/old/tool')).toEqual(['new/tool']);
  });

  itAtNight(
    'keeps its name where the listing of its new name contradicts the host; the facts are still read',
    async () => {
      await work.store(listing('old/tool'), listing('new/tool', { createdAt: '2019-01-01T00:00:00Z' }));
      host().repository({ id: '5', name: 'new/tool', formerNames: ['old/tool'] });

      const { outcomes } = await work.refresh();

      expect(outcomes.merged).toBeUndefined();
      expect(await work.state('old/tool')).toMatchObject({ stars: 340 });
      expect((await work.state('new/tool')).id).not.toBe((await work.state('old/tool')).id);
    },
  );

  itAtNight('keeps a source’s statement about its parent', async () => {
    const row = { githubRepoId: '77', parentRepository: 'origin/tool', parentRelation: 'port_of' };
    await work.store(listing('origin/tool'), listing('old/tool', row));
    host().repository({ name: 'origin/tool' });
    host().repository({ id: '77', name: 'new/tool', formerNames: ['old/tool'] });

    await work.refresh();

    const parents = await work.database.query(
      'SELECT l.repository, p.repository AS parent FROM listing l JOIN listing p ON p.subject_id = l.parent_id',
    );
    expect(parents).toEqual([{ repository: 'new/tool', parent: 'origin/tool' }]);
  });
});

describe('a new repository under the name of a listing', () => {
  it('does not take the listing over: the listing loses the name, keeps its facts, and the name is free for the new one', async () => {
    await work.store(listing('maker/tool', { githubRepoId: '1', stars: 9_000, metricsAsOf: '2026-01-01' }));
    const before = await work.state('maker/tool');
    host().repository({ id: '2', name: 'maker/tool', stars: 1 });

    const { outcomes } = await work.refresh();
    await work.store(listing('maker/tool', { githubRepoId: '2' }));

    expect(outcomes).toEqual({ replaced: 1, gone: 1 });
    const former = await work.state('maker/tool~1');
    const fresh = await work.state('maker/tool');
    expect([former.id, former.hostRepositoryId]).toEqual([before.id, '1']);
    expect(fresh.id).not.toBe(before.id);
    expect(await work.named('github.com/maker/tool')).toEqual(['maker/tool', 'maker/tool~1']);
  });

  itAtNight('does not hide the listed repository, which is requested by its id', async () => {
    await work.store(listing('maker/tool', { githubRepoId: '1' }));
    const before = await work.state('maker/tool');
    host().repository({ id: '1', name: 'maker/tool-2', stars: 9_000 });
    host().repository({ id: '2', name: 'maker/tool', stars: 1 });

    const { outcomes } = await work.refresh();

    expect(outcomes).toEqual({ renamed: 1 });
    expect(await work.state('maker/tool-2')).toMatchObject({ id: before.id, stars: 9_000 });
  });

  itAtNight('is not taken for the listed one that lost its name, which is requested by its id', async () => {
    await work.store(listing('maker/tool', { githubRepoId: '1' }));
    const before = await work.state('maker/tool');
    host().repository({ id: '1', name: 'maker-labs/tool', stars: 9_000 });

    const { outcomes } = await work.refresh();

    expect(outcomes).toEqual({ renamed: 1 });
    expect(await work.state('maker-labs/tool')).toMatchObject({ id: before.id, stars: 9_000 });
  });
});
