import { afterEach, beforeEach, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { creator, listing } from '../../../testing/import/rows.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';

/** The first batch takes a hundred; one more row makes a second batch. */
const LISTINGS = 101;

let work: ImportWorkspace;

beforeEach(async () => {
  work = await createImportWorkspace();
});
afterEach(() => work.close());

const rows = Array.from({ length: LISTINGS }, (_, place) => listing(`owner${place}/tool`));

/** Wraps the embedded method to look at the subject before scoring. */
function looking(look: (subjectId: string) => Promise<void>): ScoringBackend {
  return {
    ...embeddedBackend,
    async score(request, signal) {
      await look(request.subject.id);
      return embeddedBackend.score(request, signal);
    },
  };
}

it('stores the next batch while the scores of the previous one are computed', async () => {
  let stored = 0;
  const backend = looking(async () => {
    // Never ends if the second batch waits for the scores of the first.
    while (stored < LISTINGS) {
      const [row] = await work.database.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM listing',
      );
      stored = row?.count ?? 0;
    }
  });

  const { scored, kinds } = await work.run([await work.file(rows)], { backend });

  expect(kinds.listing).toMatchObject({ read: LISTINGS, added: LISTINGS });
  // Counts each listing and its creator.
  expect(scored).toBe(2 * LISTINGS);
});

it('scores what is stored and queued, so that an import that ends early leaves nothing without a score', async () => {
  const noted = new Set<string>();
  const backend = looking(async (id) => {
    const found = await work.database.query('SELECT FROM score_due WHERE subject_id = $1', [id]);
    if (found.length > 0) noted.add(id);
  });

  await work.run([await work.file(rows)], { backend });

  const [row] = await work.database.query<{ missing: string[]; due: number }>(
    `SELECT ARRAY(SELECT subject_id FROM score_version WHERE subject_id <> ALL ($1::uuid[])) AS missing,
       (SELECT count(*)::int FROM score_due) AS due`,
    [[...noted]],
  );
  expect(row).toEqual({ missing: [], due: 0 });
});

itAtNight('scores a listing that precedes its creator once, and writes the creator once', async () => {
  const file = await work.file([
    listing('maker/tool'),
    creator('maker', { displayName: 'Maker', accountCreatedAt: '2015-01-01T00:00:00Z' }),
  ]);

  await work.run([file]);

  const [row] = await work.database.query(`SELECT (SELECT count(*)::int FROM score_version) AS versions,
    (SELECT count(*)::int FROM creator WHERE ctid <> '(0,1)') AS rewritten,
    (SELECT name FROM subject WHERE type = 'creator') AS name`);
  // Expects one score of the listing and one of the creator, whose row is still in its first place.
  expect(row).toEqual({ versions: 2, rewritten: 0, name: 'Maker' });
});
