import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundler, bundled, bundlingFolder, compressed, installBuild } from './bundles.ts';

const CLIENT = `
  import { TrustDirectory } from '@trust-directory/sdk';
  globalThis.client = new TrustDirectory();
`;
const READS = `
  import * as directory from '@trust-directory/sdk/directory';
  globalThis.reads = [directory.listAgents, directory.getAgent, directory.getAgentLineage, directory.getIdentity,
    directory.lookupSubject, directory.getSubject, directory.getPackage, directory.explainScore,
    directory.listScoreHistory, directory.compareScores];
`;

/** Maximum size of the whole client in bytes, minified and compressed with gzip, as promised in the README. */
export const LIMIT = 4_400;

/** Tests the sizes with every bundler. */
export function describeSizes(bundlers: Readonly<Record<string, Bundler>>): void {
  let folder: string;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ folder, remove } = await bundlingFolder());
    await installBuild(folder);
  }, 600_000);
  afterAll(() => remove?.());

  describe.each(Object.entries(bundlers))('bundled by %s, minified and compressed', (name, bundler) => {
    it(`the whole client is one file of at most ${LIMIT} bytes`, async () => {
      const bundle = await bundled(folder, bundler, CLIENT);

      process.stdout.write(`The client bundled by ${name}: ${compressed(bundle)} bytes.\n`);
      expect(bundle).toHaveLength(1);
      expect(bundle[0]).toContain('/api/svc/operations/run');
      expect(compressed(bundle)).toBeLessThanOrEqual(LIMIT);
      expect(bundle[0]).not.toMatch(/api\/console|minTrust|Middleware must be an object|\bimport\b/);
    }, 600_000);

    it('the public reads are smaller, and a single one is smaller still', async () => {
      const reads = await bundled(folder, bundler, READS);
      const one = await bundled(folder, bundler, READS.replace(/= \[[^;]+/, '= directory.getAgent'));

      expect([reads.length, one.length]).toEqual([1, 1]);
      expect(compressed(reads)).toBeLessThan(4_200);
      expect(compressed(one)).toBeLessThan(compressed(reads));
      expect(one[0]).not.toContain('/api/identity/{handle}');
    }, 600_000);

    it('openapi-fetch is bundled only with `rawOf`', async () => {
      const code = CLIENT.replace('{ TrustDirectory }', '{ rawOf, TrustDirectory }').replace(
        '= new',
        '= rawOf(new',
      );
      const bundle = await bundled(folder, bundler, code.replace('();', '());'));

      expect(bundle).toHaveLength(1);
      expect(bundle[0]).toContain('Middleware must be an object');
    }, 600_000);
  });
}
