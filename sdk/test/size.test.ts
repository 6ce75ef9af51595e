import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUNDLERS, bundled, bundlingFolder, compressed, installBuild } from './bundles.ts';

const CLIENT = `
  import { TrustDirectory } from '@trust-directory/sdk';
  globalThis.client = new TrustDirectory();
`;
const READS = `
  import * as directory from '@trust-directory/sdk/directory';
  globalThis.reads = [directory.listAgents, directory.getAgent, directory.getAgentLineage, directory.getIdentity,
    directory.lookupSubject, directory.getSubject];
`;

/** What the README promises of the whole client, in bytes. */
const LIMIT = 4_400;

let folder: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ folder, remove } = await bundlingFolder());
  await installBuild(folder);
}, 60_000);
afterAll(() => remove?.());

it('the README says how small the client is, and by which bundlers', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

  expect(readme).toContain(`(${LIMIT.toLocaleString('en')} bytes) minified and compressed, as one file`);
  for (const name of Object.keys(BUNDLERS)) expect(readme.toLowerCase()).toContain(name);
});

describe.each(Object.keys(BUNDLERS))('bundled by %s, minified and compressed', (bundler) => {
  it(`the whole client is one file of at most ${LIMIT} bytes`, async () => {
    const bundle = await bundled(folder, bundler, CLIENT);

    expect(bundle).toHaveLength(1);
    expect(bundle[0]).toContain('/api/svc/operations/run');
    expect(compressed(bundle)).toBeLessThanOrEqual(LIMIT);
    expect(bundle[0]).not.toMatch(/api\/console|minTrust|Middleware must be an object|\bimport\b/);
  }, 60_000);

  it('the public reads are less, and one of them is less still', async () => {
    const reads = await bundled(folder, bundler, READS);
    const one = await bundled(folder, bundler, READS.replace(/= \[[^;]+/, '= directory.getAgent'));

    expect([reads.length, one.length]).toEqual([1, 1]);
    expect(compressed(reads)).toBeLessThan(4_200);
    expect(compressed(one)).toBeLessThan(compressed(reads));
    expect(one[0]).not.toContain('/api/identity/{handle}');
  }, 60_000);

  it('openapi-fetch comes with `rawOf`', async () => {
    const code = CLIENT.replace('{ TrustDirectory }', '{ rawOf, TrustDirectory }').replace(
      '= new',
      '= rawOf(new',
    );
    const bundle = await bundled(folder, bundler, code.replace('();', '());'));

    expect(bundle).toHaveLength(1);
    expect(bundle[0]).toContain('Middleware must be an object');
  }, 60_000);
});
