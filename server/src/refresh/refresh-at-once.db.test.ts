import { afterEach, beforeEach, expect, it } from 'vitest';
import { listing } from '../../testing/import/rows.ts';
import { createRefreshWorkspace, type RefreshWorkspace } from '../../testing/refresh/refresh-workspace.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { inTransaction } from '../database/transaction.ts';
import { shareLineage } from '../registry/relations/lineage-edges.ts';

let work: RefreshWorkspace;
beforeEach(async () => {
  work = await createRefreshWorkspace();
});
afterEach(() => work.close());

it('a refresh that finds nothing changed goes on beside a registration', async () => {
  await work.store(listing('maker/tool'));
  work.standIn.world.repository({ name: 'maker/tool' });
  await work.refresh();
  await work.makeDue();
  let isDone = false;

  await inTransaction(work.database, async (connection) => {
    await shareLineage(connection);
    const refreshed = work.refresh().finally(() => {
      isDone = true;
    });
    await untilBlocked(work.database, refreshed);
    expect(isDone).toBe(true);
    expect((await refreshed).outcomes).toEqual({ unchanged: 1 });
  });
});
