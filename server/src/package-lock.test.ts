import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

const require = createRequire(import.meta.url);
const { satisfies } = require('semver') as { satisfies(version: string, range: string): boolean };

/** Supported Node.js versions: the oldest one, and one of each long-term support line. */
const NODES = ['20.19.0', '22.12.0', '24.0.0'];

interface LockedPackage {
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
}

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

it('every package of the server and the SDK supports every promised Node.js version', () => {
  const { packages } = read('../../package-lock.json') as { packages: Record<string, LockedPackage> };

  const unfit = Object.entries(packages).filter(
    ([, { dev, engines: needed }]) =>
      !dev && NODES.some((version) => !satisfies(version, needed?.node ?? '*')),
  );

  expect(unfit.map(([place, { engines: needed }]) => `${place} needs Node ${needed?.node}`)).toEqual([]);
});
