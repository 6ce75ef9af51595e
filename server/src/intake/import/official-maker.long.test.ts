import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { listing, server } from '../../../testing/import/rows.ts';
import { refreshPackages } from '../../catalog/packages/decide-packages.ts';
import { inTransaction } from '../../platform/database/transaction.ts';

let work: ImportWorkspace;
beforeAll(async () => {
  work = await createImportWorkspace();
});
afterEach(() => work.empty());
afterAll(() => work.close());

const makers = async () => {
  const rows = await work.database.query<{ repository: string; namespace: string; url: string }>(
    `SELECT l.repository, o.value ->> 'namespace' AS namespace, o.url FROM observed_fact o
     JOIN listing l ON l.subject_id = o.subject_id WHERE o.fact = 'official_maker' ORDER BY 1`,
  );
  return rows.map(({ repository, namespace }) => `${repository}: ${namespace}`);
};
const own = (overrides = {}) => server('io.github.ACME/robot', 'acme/robot', [], overrides);
const later = (day: number, overrides = {}) => own({ updatedAt: `2026-11-0${day}T00:00:00Z`, ...overrides });

describe('the official maker of a repository', () => {
  it('is its owner, where an entry of the owner’s own namespace names it, before or after it is listed', async () => {
    await work.store(own(), server('io.github.acme/known', 'acme/known'));
    const before = await makers();
    await work.store(listing('acme/robot'));
    await work.store(listing('acme/other'), server('io.github.acme/other', 'acme/other'));

    expect([before, await makers()]).toEqual([
      [],
      ['acme/other: io.github.acme', 'acme/robot: io.github.acme'],
    ]);
  });

  it('is known since the last change of the entry, because a file of entries may be as old', async () => {
    const at = async () =>
      (await work.database.query('SELECT observed_at AS at FROM observed_fact'))[0] as
        | { at: Date }
        | undefined;
    await work.store(listing('acme/robot'), own());
    const first = await at();
    await work.store(later(2));

    expect([first?.at, (await at())?.at]).toEqual([
      new Date('2025-12-01T10:00:00.000Z'),
      new Date('2026-11-02T00:00:00Z'),
    ]);
  });

  it('is nobody where a stranger publishes the repository, or a domain, or the repository has another id', async () => {
    await work.store(
      listing('acme/robot', { githubRepoId: 7 }),
      server('io.github.mallory/robot', 'acme/robot'),
      server('com.acme/robot', 'acme/robot'),
      server('io.github.acme.evil/robot', 'acme/robot'),
      own({ repositoryId: '8' }),
    );

    expect(await makers()).toEqual([]);
  });

  it('ends when the entry is deleted or names another repository', async () => {
    await work.store(listing('acme/robot'), own());
    const seen = [await makers()];
    const elsewhere = server('io.github.ACME/robot', 'acme/else', [], { updatedAt: '2026-11-03T00:00:00Z' });

    for (const entry of [later(1, { status: 'deleted' }), later(2), elsewhere]) {
      await work.store(entry);
      seen.push(await makers());
    }

    const made = ['acme/robot: io.github.acme'];
    expect(seen).toEqual([made, [], made, []]);
  });

  it('queues the listing for scoring when it changes', async () => {
    await work.store(listing('acme/robot'), own());
    const [row] = await work.database.query<{ id: string }>('SELECT subject_id AS id FROM listing');
    const due = async () =>
      (await inTransaction(work.database, (connection) => refreshPackages(connection, [row?.id ?? '']))).due;

    const before = await due();
    await work.database.query("UPDATE mcp_registry_entry SET status = 'deleted'");

    expect([before, await due()]).toEqual([[], [row?.id]]);
  });

  it('is written once for each change of the entry', async () => {
    await work.store(listing('acme/robot'), own());
    const versions = () => work.database.query('SELECT xmin::text, observed_at FROM observed_fact');
    const before = await versions();

    await work.store(listing('acme/robot', { description: 'New words.' }), own());

    expect(await versions()).toEqual(before);
  });
});
