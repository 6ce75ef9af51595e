import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { TARGETS } from './targets.ts';

const ROOT = new URL('../../', import.meta.url);

it('names only files that there are, each once', () => {
  const files = Object.values(TARGETS)
    .flat()
    .flatMap((target) => target.files);

  expect(files.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
  expect(files).toHaveLength(new Set(files).size);
});
