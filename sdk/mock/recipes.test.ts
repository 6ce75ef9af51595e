import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../server/testing/every-row.ts';
import { mocked, TimeoutError, TrustDirectory } from '../src/index.ts';
import { DOCUMENTED_ROWS, expectRecipe, RECIPES } from '../test/recipes.ts';
import { type Mock, startMock } from './start-mock.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ host: '127.0.0.1', port: 0 });
});
afterAll(() => mock?.close());

describe('the recipes of docs/mock.md', () => {
  it('are all read from the page', () => {
    expect(RECIPES).toHaveLength(DOCUMENTED_ROWS.length);
  });

  it('name every outcome that a program has to be ready for', () => {
    const asked = RECIPES.map(({ mock }) => [mock.code, mock.example, mock.delay].filter(Boolean).join(' '));

    expect(asked).toEqual(
      expect.arrayContaining([
        '402',
        '409 subject_ambiguous',
        '409 idempotency_in_progress',
        '422',
        '429',
        '502',
        '503',
        '200 replay',
        '1500',
      ]),
    );
  });

  it('have the outcomes that the page promises', () =>
    // The slow ones wait side by side.
    expectEveryRow(
      RECIPES,
      ({ outcome }) => outcome,
      (recipe) => expectRecipe(mock.url, recipe),
      { concurrency: RECIPES.length },
    ));

  it('a slow answer runs into the deadline of the call', async () => {
    const client = new TrustDirectory({ baseUrl: mock.url, apiKey: 'any' });

    const call = client.agents.list({}, { ...mocked({ delay: 5_000 }), timeoutMs: 200 });

    await expect(call).rejects.toBeInstanceOf(TimeoutError);
  });
});
