import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';
import { describe, expect, it } from 'vitest';

/** What a browser would load for a program, with openapi-fetch and whatever else is needed, minified. */
async function loadedBy(program: string): Promise<{ code: string; imports: string[]; bytes: number }> {
  const [bundle] = await build({
    entry: [fileURLToPath(new URL(`loads/${program}.ts`, import.meta.url))],
    config: false,
    platform: 'neutral',
    deps: { alwaysBundle: [/./] },
    dts: false,
    minify: true,
    write: false,
    clean: false,
    logLevel: 'silent',
  });
  const [chunk, ...others] = bundle?.chunks ?? [];
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('the bundle is not one piece of code');
  const { code, imports } = chunk;
  return { code, imports, bytes: gzipSync(code, { level: 9 }).length };
}

describe('what a browser loads, minified and compressed', () => {
  it('is at most 5,500 bytes for the client, and needs nothing of Node', async () => {
    const { code, imports, bytes } = await loadedBy('client');

    expect(code).toContain('/api/svc/operations/run');
    expect(imports).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(5_500);
  });

  it('is at most 4,000 bytes for all public reads, and less for one of them', async () => {
    const [reads, oneRead] = await Promise.all([loadedBy('reads'), loadedBy('one-read')]);

    expect(reads.code).toContain('/api/identity/{handle}');
    expect(reads.imports).toEqual([]);
    expect(reads.bytes).toBeLessThanOrEqual(4_000);
    expect(oneRead.code).not.toContain('/api/identity/{handle}');
    expect(oneRead.bytes).toBeLessThan(reads.bytes);
  });

  it('holds neither the console nor the policy unless they are used', async () => {
    const { code } = await loadedBy('client');

    expect(code).not.toMatch(/api\/console|minTrust/);
  });
});
