import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { openReadingProcess, type ReadingProcess } from '../../../../testing/http/reading-process.ts';
import { expectWellFormed } from '../../../../testing/pages/expect-well-formed.ts';
import { makeArtifact, makeListing, makeScore } from '../../../../testing/subjects/registry.factory.ts';
import type { VerdictState } from '../../../scoring/verdict/verdict.ts';

let test: TestDatabase;
let server: ReadingProcess;

beforeAll(async () => {
  test = await createTestDatabase();
  server = await openReadingProcess(test.url);
});
afterEach(async () => {
  await test.empty();
  server.cache?.invalidate('*');
});
afterAll(async () => {
  await server.close();
  await test.close();
});

async function home(): Promise<string> {
  const { statusCode, body } = await server.app.inject('/');
  expect(statusCode).toBe(200);
  return body;
}

async function makeJudged(name: string, state: VerdictState, trust: number, confidence = 50): Promise<void> {
  const listing = await makeListing(test.database, { repository: `acme/${name}`, name });
  await makeScore(test.database, listing, { trust, confidence });
  await test.database.query(
    "UPDATE listing_rank SET verdict = $2, reasons = '{widely_used}' WHERE subject_id = $1",
    [listing.id, state],
  );
}

/** Returns the names on the example cards, in order. */
const examplesIn = (body: string) =>
  [...body.matchAll(/<li class="card">.*?<h3><a [^>]*><bdi>([^<]*)/gs)].map(([, name]) => name);

/** Returns the section of a page that the heading with this id labels. */
const partOf = (body: string, id: string) =>
  new RegExp(`aria-labelledby="${id}">(.*?)</section>`, 's').exec(body)?.[1] ?? '';

describe('home', () => {
  it('explains what to do in an empty directory, and shows no empty sections', async () => {
    const body = await home();

    expectWellFormed(/<main.*<\/main>/s.exec(body)?.[0] ?? '');
    expect(body).toContain('Nothing is listed yet');
    expect(body).toContain('href="/docs/registerAgent"');
    expect(body).toContain('<code>npm run import</code>');
    expect(body).toContain('action="/agents"');
    for (const part of ['0</b>', 'class="cards"', 'class="tiles"', 'curl']) expect(body).not.toContain(part);
  });

  it('is well-formed, and shows the totals', async () => {
    const listing = await makeListing(test.database, { verified: true });
    await makeListing(test.database, {});
    await makeArtifact(test.database, listing);

    const body = await home();

    expectWellFormed(/<main.*<\/main>/s.exec(body)?.[0] ?? '');
    expect(body).toContain('<b>2</b> agents and skills');
    expect(body).toContain('<b>1</b> with a verified owner');
    expect(body).toContain('<b>2</b> creators');
    expect(body).toContain('plus <b>1</b> agent or skill inside those repositories');
    expect(body).toContain('Updated <b>less than an hour ago</b>');
  });

  it('shows when a repository was last checked', async () => {
    const { id } = await makeListing(test.database, {});
    await test.database.query(
      `INSERT INTO repository_refresh (listing_id, checked_at, outcome)
       VALUES ($1, ledger_now() - interval '3 days', 'unchanged')`,
      [id],
    );

    expect(await home()).toContain('Refreshed <b>3 days ago</b>');
    await test.database.query("UPDATE repository_refresh SET checked_at = ledger_now() - interval '5 hours'");
    server.cache?.invalidate('*');
    expect(await home()).toContain('Refreshed <b>5 hours ago</b>');
  });

  it('shows examples of three states: the best, the one with the lowest confidence, and a warning', async () => {
    await makeJudged('proved', 'verified', 80);
    await makeJudged('seen', 'well_evidenced', 70);
    await makeJudged('known-a-little', 'little_evidence', 60, 38);
    await makeJudged('unknown', 'little_evidence', 29, 11);
    await makeJudged('gone', 'warning', 40);

    expect(examplesIn(await home())).toEqual(['proved', 'unknown', 'gone']);
  });

  it('shows two examples of one state if there are only two states', async () => {
    await makeJudged('seen', 'well_evidenced', 70);
    await makeJudged('unknown', 'little_evidence', 29, 11);
    await makeJudged('less', 'little_evidence', 30, 12);
    await makeJudged('more', 'little_evidence', 31, 13);

    expect(examplesIn(await home())).toEqual(['seen', 'unknown', 'less']);
  });

  it('shows the beginning of four lists, each with a link to the full list', async () => {
    const make = (name: string, input: object) => makeListing(test.database, { name, ...input });
    await make('Starred', { stars: 142_000, listedAt: '2025-01-01', lastCommitAt: '2025-01-02' });
    await make('Fresh', { stars: 5, listedAt: '2025-01-01', lastCommitAt: '2026-01-02' });
    await make('Late', { listedAt: '2026-01-03' });
    await make('Owned', { stars: 7, listedAt: '2025-01-01', lastCommitAt: '2025-01-02', verified: true });

    const body = await home();

    const firsts = ['popular', 'new', 'latest-commits', 'verified'].map((id) => {
      const part = partOf(body, id);
      return [/href="([^"]*)">all/.exec(part)?.[1], /<bdi>([^<]*)/.exec(part)?.[1]];
    });
    expect(firsts).toEqual([
      ['/agents?sort=stars', 'Starred'],
      ['/agents?sort=newest', 'Late'],
      ['/agents?sort=updated', 'Fresh'],
      ['/agents?verified=true&amp;sort=stars', 'Owned'],
    ]);
    expect(partOf(body, 'popular')).toContain('142k stars');
  });

  it('states on which days stars and commits were read', async () => {
    const make = async (name: string, day: string, input: object) => {
      const { id } = await makeListing(test.database, { name, ...input });
      await test.database.query('UPDATE listing SET metrics_observed_at = $2 WHERE subject_id = $1', [
        id,
        day,
      ]);
    };
    await make('Starred', '2026-08-20', { stars: 9, lastCommitAt: null });
    await make('Worked on', '2026-08-22', { stars: 5, lastCommitAt: '2026-01-02' });

    const body = await home();

    const heading = (id: string) =>
      /<h2[^>]*>(.*?)<a/s
        .exec(partOf(body, id))?.[1]
        ?.replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s+/g, ' ');
    expect(heading('latest-commits')).toBe('Latest commits (data of 22 Aug 2026) ');
    expect(heading('popular')).toMatch(/^Popular \(data of 20 ?\W ?22 Aug 2026\) $/u);
    expect(heading('new')).toBe('New ');
  });

  it('links to each category, largest first', async () => {
    for (const category of ['data', 'data', 'coding']) await makeListing(test.database, { category });

    const body = await home();

    const tiles = [...body.matchAll(/<a href="\/agents\?category=(\w+)"><b>\w+<\/b> <span>(\d+)/g)];
    expect(tiles.map(([, category, count]) => [category, count])).toEqual([
      ['data', '2'],
      ['coding', '1'],
    ]);
  });

  it('sends at most 14 statements, and none while nothing changes', async () => {
    await makeJudged('one', 'verified', 80);
    const before = server.statements();
    await home();
    const few = server.statements() - before;
    for (let index = 0; index < 30; index += 1) await makeJudged(`more-${index}`, 'warning', 20 + index);
    await expect.poll(home).toContain('<b>31</b>');

    expect(few).toBeLessThanOrEqual(14);
    // Poll, because invalidations of earlier changes may still arrive and empty the cache.
    const cost = async () => {
      const asked = server.statements();
      await home();
      return server.statements() - asked;
    };
    await expect.poll(cost).toBe(0);
  });
});
