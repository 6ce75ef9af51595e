import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BUNDLERS } from './bundles.ts';
import { describeSizes, LIMIT } from './sizes.ts';

it('the README states the size limit and the bundlers', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

  expect(readme).toContain(
    `(${LIMIT.toLocaleString('en')} bytes), bundled into one file, minified and compressed`,
  );
  for (const name of [...Object.keys(BUNDLERS), 'webpack']) expect(readme.toLowerCase()).toContain(name);
});

// The nightly run bundles with the others.
describeSizes({ esbuild: BUNDLERS.esbuild });
