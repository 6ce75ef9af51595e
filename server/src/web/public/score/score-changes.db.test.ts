import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { type DirectoryWorld, makeDirectoryWorld } from '../../../../testing/pages/directory-world.ts';
import { makeCreator, makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { NO_SOURCE_LINKS } from '../../../directory/explanations/signal-sources.ts';
import { scoreSubjects } from '../../../scoring/batches/score-subjects.ts';
import { embeddedBackend } from '../../../scoring/embedded/embedded-backend.ts';
import { renderMarkup } from '../../components/send-html.ts';
import { loadScoreDetail, scoreStableForMs } from './score-detail.queries.ts';
import { ScoreSection } from './score-section.tsx';

const DAY_MS = 86_400_000;

let test: TestDatabase;
let world: DirectoryWorld;
beforeAll(async () => {
  test = await createTestDatabase();
  await replaceClock(test.database);
  world = await makeDirectoryWorld(test.database);
}, 180_000);
afterAll(() => test?.close());

/** Sets the clock to a time and returns the markup of a subject's score section. */
async function sectionAt(id: string, moment: string): Promise<string> {
  await setClock(test.database, moment);
  const score = await loadScoreDetail(test.database, id);
  const section = ScoreSection({ score, places: { ...NO_SOURCE_LINKS, apiPath: null } });
  return section === null ? '' : renderMarkup(section);
}

/** Returns the text below the heading about changes. */
async function changesAt(id: string, moment: string): Promise<string> {
  const [, below = ''] = (await sectionAt(id, moment)).split('What changed since last month</h3>');
  const [answer = ''] = below.split('</section>');
  return answer
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

describe('"What changed since last month"', () => {
  it('says how trust differs from the score of a month ago, with the signals that moved', async () => {
    const words = await changesAt(world.robot.id, '2026-11-20T09:00:00Z');

    expect(words).toMatch(
      /^Trust fell by \d+\.\d to \d+\.\d since 28 Sept 2026: −\d\.\d because facts changed/,
    );
    expect(words).toContain('Stars: 700 → 280');
  });

  it('says that nothing changed if the score is older than a month', async () => {
    expect(await changesAt(world.robot.id, '2027-02-01T00:00:00Z')).toBe(
      'Nothing: the score is still that of 20 Nov 2026 .',
    );
  });

  it('compares with the first score if that is younger than a month', async () => {
    await setClock(test.database, '2026-11-01T00:00:00Z');
    const made = await makeListing(test.database, {
      repository: 'acme/young',
      stars: 90,
      forks: 9,
      license: 'MIT',
    });
    await scoreSubjects(test.database, embeddedBackend, [made.id]);
    const [once] = [await changesAt(made.id, '2026-11-02T00:00:00Z')];
    await scoreSubjects(test.database, embeddedBackend, [made.id]);

    expect(once).toBe('There is no earlier score to compare with.');
    expect(await changesAt(made.id, '2026-11-03T00:00:00Z')).toMatch(/^Trust is \d+\.\d, as on 1 Nov 2026/);
  });

  it('may be cached only until another score is a month old', async () => {
    await setClock(test.database, '2026-12-19T09:00:00Z');
    const score = await loadScoreDetail(test.database, world.robot.id);

    expect(scoreStableForMs(score)).toBeLessThanOrEqual(DAY_MS);
  });

  it('is left out without a score', async () => {
    const creator = await makeCreator(test.database);

    expect(await changesAt(creator.id, '2026-11-20T09:00:00Z')).toBe('');
  });
});

it('draws a bar of each signal’s points, and states the figures for screen readers', async () => {
  const markup = await sectionAt(world.robot.id, '2026-11-20T09:00:00Z');
  const bars = [...markup.matchAll(/aria-label="(\d+\.\d) of at most (\d+\.\d) points"/g)];

  expect(bars.length).toBeGreaterThan(5);
  for (const [, points, possible] of bars) expect(Number(points)).toBeLessThanOrEqual(Number(possible) + 0.1);
  expect(markup).not.toMatch(/\sstyle=/);
});
