import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../server/testing/database.ts';
import { sampleUnlessNightly } from '../../server/testing/nightly.ts';
import { type ForgedWorld, openForgedWorld } from './forged-world.ts';
import { FORGERIES } from './forgeries.ts';
import { GENUINE_PROOFS } from './genuine-proofs.ts';
import { tryForgeries } from './try-forgeries.ts';

let test: TestDatabase;
let world: ForgedWorld;

beforeAll(async () => {
  test = await createTestDatabase();
  world = await openForgedWorld(test);
});
afterAll(async () => {
  await world.close();
  await test.close();
});

it('every forged proof is refused', async () => {
  // Similar forgeries are adjacent in the list, so every sixth one includes some of each kind.
  const forgeries = sampleUnlessNightly(FORGERIES, (_, index) => index % 6 === 0);
  const outcomes = await tryForgeries(world, forgeries);

  expect(outcomes.filter(({ gain }) => gain !== null)).toEqual([]);
  expect(FORGERIES.length).toBeGreaterThan(100);
  expect(outcomes).toHaveLength(forgeries.length);
});

it('genuine proofs in the same places are accepted', async () => {
  const genuine = sampleUnlessNightly(GENUINE_PROOFS, (_, index) => index % 2 === 0);
  const outcomes = await tryForgeries(world, genuine, FORGERIES.length + 1);

  expect(outcomes.filter(({ gain }) => gain === null)).toEqual([]);
});
