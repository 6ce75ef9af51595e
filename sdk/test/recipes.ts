import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import * as sdk from '../src/index.ts';

/** A recipe: a row of the table in `docs/mock.md`, which says how to make the mock produce an outcome. */
interface Recipe {
  readonly outcome: string;
  readonly prefer: string;
  readonly mock: sdk.MockAnswer;
  /** Name of the error class; null for a result. */
  readonly errorName: string | null;
  /** Error code of a failed call, or the member of the result that shows the outcome. */
  readonly word: string;
  readonly retryAfterMs: number | null;
}

const PAGE = readFileSync(new URL('../docs/mock.md', import.meta.url), 'utf8');

/** All rows of `docs/mock.md` that contain a `mocked` option. A test checks that each was parsed as a recipe. */
export const DOCUMENTED_ROWS = PAGE.match(/^\|.*`\{ .*\|$/gm) ?? [];

/** Recipes of the document's table. */
export const RECIPES: readonly Recipe[] = [
  ...PAGE.matchAll(/^\| (.+) \| `(.+)` \| `(\{.+\})` \| (.+) \| `(\w+)` \| (\d*) ?\|$/gm),
].map(([, outcome = '', prefer = '', mock = '', kind = '', word = '', wait = '']) => ({
  outcome,
  prefer,
  mock: JSON.parse(mock.replaceAll("'", '"').replaceAll(/(\w+):/g, '"$1":')) as sdk.MockAnswer,
  errorName: /^`(\w+)`$/.exec(kind)?.[1] ?? null,
  word,
  retryAfterMs: wait === '' ? null : Number(wait),
}));

/** Runs a recipe against a mock, with the SDK and with plain HTTP, and expects the outcome of the table. */
export async function expectRecipe(baseUrl: string, recipe: Recipe): Promise<void> {
  const client = new sdk.TrustDirectory({ baseUrl, apiKey: 'any' });
  const request = { operation: 'skill_score', subject: 'upstash/context7' } as const;
  const startedAt = performance.now();
  const came = await client.operations
    .run(request, { maxRetries: 0, ...sdk.mocked(recipe.mock) })
    .catch((error: unknown) => error as sdk.ApiError);
  const tookMs = performance.now() - startedAt;

  expect(tookMs).toBeGreaterThan((recipe.mock.delay ?? 0) - 50);
  if (recipe.errorName === null)
    expect(came).toMatchObject({ [recipe.word]: expect.anything(), charge_source: expect.anything() });
  else
    expect(came).toMatchObject({
      name: recipe.errorName,
      code: recipe.word,
      retryAfterMs: recipe.retryAfterMs,
    });
  if (recipe.word === 'meta') expect(came).toMatchObject({ result: null, meta: { replayed: true } });

  const raw = await fetch(`${baseUrl}/api/svc/operations/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any', prefer: recipe.prefer },
    body: JSON.stringify({ ...request, idempotency_key: crypto.randomUUID() }),
  });
  expect(raw.status).toBe(recipe.mock.code ?? 200);
  const seconds = recipe.retryAfterMs === null ? null : String(recipe.retryAfterMs / 1000);
  expect(raw.headers.get('retry-after')).toBe(seconds);
}
