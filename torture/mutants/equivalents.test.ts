import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EQUIVALENTS, withoutEquivalents } from './equivalents.ts';
import { findMutants } from './find-mutants.ts';

const ROOT = new URL('../../', import.meta.url);

it('leaves out every change of the list, each of which the files still have, and no other', () => {
  const files = [...new Set(EQUIVALENTS.map(({ file }) => file))];
  const mutants = files.flatMap((file) => findMutants(file, readFileSync(new URL(file, ROOT), 'utf8')));
  const listed = EQUIVALENTS.flatMap(({ changes }) => changes);

  const left = withoutEquivalents(mutants);

  expect(mutants.length - left.length).toBe(listed.length);
  expect(mutants).toEqual(expect.arrayContaining(left));
});
