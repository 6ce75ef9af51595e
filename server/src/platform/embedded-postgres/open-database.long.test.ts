import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import {
  type EmbeddedWorkspace,
  type PreparedFolder,
  prepareFolder,
} from '../../../testing/embedded-workspace.ts';
import { openWhileLoading } from './embedded-postgres.ts';

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

describe('the application modules', () => {
  itAtNight('are loaded in parallel, once a PostgreSQL program has been launched', async () => {
    const { opening, loading } = openWhileLoading(embeddedIn(work.root), async () => readdirSync(work.root));
    const first = await Promise.race([opening.then(() => 'the database'), loading.then(() => 'the parts')]);

    expect(first).toBe('the parts');
    expect(await loading).toContainEqual(expect.stringMatching(/^postgres\.[\da-f-]{36}$/));
    await (await opening).stop();
  });

  it('are loaded if another process already runs the database', async () => {
    await work.usePrepared();
    await work.open();

    const { opening, loading } = openWhileLoading(embeddedIn(work.root), async () => 'parts');

    expect(await loading).toBe('parts');
    await (await opening).stop();
  });

  it('are loaded at once if DATABASE_URL is set', async () => {
    const named = { databaseUrl: 'postgres://someone@elsewhere/x', dataDir: work.root };

    expect(await openWhileLoading(named, async () => 'parts').loading).toBe('parts');
  });

  it('are not loaded without a database', async () => {
    await writeFile(work.root, '');
    let loads = 0;

    const { opening } = openWhileLoading(embeddedIn(work.root), async () => {
      loads += 1;
    });

    await expect(opening).rejects.toThrow(/DATA_DIR/);
    expect(loads).toBe(0);
  });
});

const embeddedIn = (dataDir: string) => ({ databaseUrl: null, dataDir });
