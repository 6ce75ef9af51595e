import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundler, bundled, bundlingFolder, compressed, installBuild } from './bundles.ts';

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
export const LIMIT = 4_700;

/** Holds every one of the bundlers to the promised sizes. */
export function describeSizes(bundlers: Readonly<Record<string, Bundler>>): void {
  let folder: string;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ folder, remove } = await bundlingFolder());
    await installBuild(folder);
  }, 60_000);
  afterAll(() => remove?.());

  describe.each(Object.entries(bundlers))('bundled by %s, minified and compressed', (_name, bundler) => {
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
      expect(compressed(reads)).toBeLessThan(4_400);
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
}
