import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { type MadeListing, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { loadPublicPaths } from '../../catalog/subjects/load-public-paths.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { getAgent } from '../agents/get-agent.ts';
import { loadSimilar, rankSimilar } from './find-similar.ts';

const publicUrls = createPublicUrls('https://trust.example');

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

async function similarTo({ agentId }: MadeListing, most = 5): Promise<string[]> {
  const record = await getAgent(test.database, agentId);
  const ranked = await rankSimilar(test.database, record);
  const { similar } = await loadSimilar(test.database, ranked, [], publicUrls);
  return similar.slice(0, most).map(({ record: { name } }) => name);
}

const make = (name: string, tags: string[], category = 'coding', stars: number | null = null) =>
  makeListing(test.database, { name, tags, category, stars });

describe('similar listings', () => {
  it('share tags or words of the name; rare and many shared words, and popularity, count', async () => {
    const one = await make('Release Scribe', ['changelog', 'git']);
    await make('Two Tags', ['changelog', 'git'], 'data');
    await make('One Tag', ['changelog'], 'data', 10);
    await make('Known Tag', ['Changelog'], 'data', 900);
    await make('Near Tag', ['git'], 'coding');
    await make('Scribe of Notes', []);
    await make('Nothing Alike', ['cooking'], 'coding', 100_000);

    expect(await similarTo(one)).toEqual(['Two Tags', 'Known Tag', 'One Tag', 'Scribe of Notes', 'Near Tag']);
    expect(await similarTo(one, 2)).toEqual(['Two Tags', 'Known Tag']);
  });

  it('are none if nothing is shared, and a quote in a tag is harmless', async () => {
    expect(await similarTo(await make('Solitaire', ["o'brien \\ | & '"]))).toEqual([]);
    expect(await similarTo(await make('🙂', []))).toEqual([]);
  });

  it('are found by rare terms: a tag that most listings have neither dominates nor slows the list', async () => {
    for (let index = 0; index < 60; index += 1)
      await make(`Server ${index}`, index < 3 ? ['everywhere', 'orchids'] : ['everywhere']);
    await test.database.query('ANALYZE listing_words');

    const [first] = await similarTo(await make('Flower', ['everywhere', 'orchids']), 1);
    const three = await similarTo(await make('Blossom', ['everywhere', 'orchids']), 4);

    expect(['Server 0', 'Server 1', 'Server 2']).toContain(first);
    expect(three.sort()).toEqual(['Flower', 'Server 0', 'Server 1', 'Server 2']);
  });

  it('come with the paths of their links and of the other subjects of the page, also if there are none', async () => {
    const [one, other] = [
      await make('Path Finder', ['wayfinding']),
      await make('Way Finder', ['wayfinding']),
    ];
    const linked = [{ id: one.id, type: one.type }];

    const { similar, paths } = await loadSimilar(test.database, [other.agentId], linked, publicUrls);
    const none = await loadSimilar(test.database, [], linked, publicUrls);
    const gone = await loadSimilar(test.database, ['AGT-00000000'], linked, publicUrls);

    const expected = await loadPublicPaths(test.database, linked, publicUrls);
    expect(expected.get(one.id)).toMatch(/^\/s\//);
    for (const each of [paths, none.paths, gone.paths]) expect(each.get(one.id)).toBe(expected.get(one.id));
    expect(similar.map(({ path, creator }) => [path, creator.path])).toEqual([
      [expect.stringMatching(/^\/s\/./), expect.stringMatching(/^\/c\/./)],
    ]);
    expect([none.similar, gone.similar]).toEqual([[], []]);
  });
});
