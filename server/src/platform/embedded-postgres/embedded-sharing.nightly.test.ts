import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type EmbeddedWorkspace,
  type PreparedFolder,
  prepareFolder,
  query,
  readyState,
} from '../../../testing/embedded-workspace.ts';
import { Presence, readPostmaster } from './server-processes.ts';

let prepared: PreparedFolder;
let work: EmbeddedWorkspace;

beforeAll(async () => {
  prepared = await prepareFolder();
});
afterAll(() => prepared.remove());
beforeEach(async () => {
  work = await prepared.workspace();
});
afterEach(() => work.close());

describe('several processes', () => {
  it('join one server, which ends with the last of them whichever came first', async () => {
    await work.usePrepared();
    const first = await work.open();
    const other = work.openElsewhere();
    const joined = await readyState(other);

    await first.stop();
    const afterFirst = await query(joined.url, 'SELECT 1 AS one');
    other.signal('SIGTERM');
    await other.waitFor(/stopped/);

    expect(joined).toEqual({ url: first.url, startedHere: false });
    expect(afterFirst).toEqual([{ one: 1 }]);
    expect(readPostmaster(work.folder)).toBeNull();
  });

  it('that start at once on a new folder share one server', async () => {
    const children = [work.openElsewhere(), work.openElsewhere(), work.openElsewhere()];
    const states = await Promise.all(children.map(readyState));

    for (const child of children) child.signal('SIGTERM');
    await Promise.all(children.map((child) => child.waitFor(/stopped/)));

    expect(new Set(states.map(({ url }) => url)).size).toBe(1);
    expect(states.filter(({ startedHere }) => startedHere)).toHaveLength(1);
    expect(readPostmaster(work.folder)).toBeNull();
  });

  it('wait for one that is about to stop the server', async () => {
    await work.usePrepared();
    const leaver = new Presence(join(work.root, 'postgres-users'));
    leaver.announce();
    leaver.leave();
    let opening = true;

    const next = work.open().finally(() => {
      opening = false;
    });
    await wait(1_000);
    const waited = opening;
    leaver.left();
    const embedded = await next;

    expect(waited).toBe(true);
    expect(embedded.startedHere).toBe(true);
  });

  it('that come while the last user leaves get a server that stays', async () => {
    await work.usePrepared();
    for (let round = 0; round < 5; round += 1) {
      const leaving = await work.open();
      const [, joined] = await Promise.all([leaving.stop(), wait(round * 10).then(() => work.open())]);

      expect(await query(joined.url, 'SELECT pg_sleep(0.2), 1 AS one')).toHaveLength(1);
      await joined.stop();
    }
    expect(readPostmaster(work.folder)).toBeNull();
  });
});

describe('a process', () => {
  it('that is killed leaves the server to the next one, which joins and ends it', async () => {
    await work.usePrepared();
    const killed = work.openElsewhere();
    const { url } = await readyState(killed);
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    killed.signal('SIGKILL');
    await killed.ended;

    const outlived = readPostmaster(work.folder);
    const next = await work.open();
    const rows = await query(next.url, 'SELECT answer FROM kept');
    await next.stop();

    expect(outlived).not.toBeNull();
    expect(next.startedHere).toBe(false);
    expect(rows).toEqual([{ answer: 42 }]);
    expect(readPostmaster(work.folder)).toBeNull();
  });

  it('still has its server during its own shutdown after Ctrl-C reached the whole process group', async () => {
    await work.usePrepared();
    const child = work.openElsewhere(
      "await new Promise((resolve) => setTimeout(resolve, 500)); console.log('last words', JSON.stringify(await query('SELECT 1 AS one')));",
    );
    await readyState(child);

    child.signalGroup('SIGINT');
    await child.waitFor(/stopped/);

    expect(child.output()).toContain('last words [{"one":1}]');
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(readPostmaster(work.folder)).toBeNull();
  });

  it('that exits without stopping the server still ends it', async () => {
    await work.usePrepared();
    const child = work.openElsewhere('process.exit(3);');
    await readyState(child);

    child.signal('SIGTERM');

    expect((await child.ended).code).toBe(3);
    await expect(work.untilGone()).resolves.toBeUndefined();
  });
});
