import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';
import { describe, expect, it } from 'vitest';

const sizeOf = (code: string) => gzipSync(code, { level: 9 }).length;

/** What a browser would load for a program, with whatever it needs, minified: at once, and later if it is used. */
async function loadedBy(program: string): Promise<{ code: string; bytes: number; later: string[] }> {
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
  const chunks = (bundle?.chunks ?? []).filter((chunk) => chunk.type === 'chunk');
  const [first, ...others] = chunks.sort((one, other) => Number(other.isEntry) - Number(one.isEntry));
  expect(first?.isEntry).toBe(true);
  expect(first?.imports).toEqual([]);
  const code = first?.code ?? '';
  return { code, bytes: sizeOf(code), later: others.map((chunk) => chunk.code) };
}

describe('what a browser loads, minified and compressed', () => {
  it('is at most 5,500 bytes for the client, and needs nothing of Node', async () => {
    const { code, bytes } = await loadedBy('client');

    expect(code).toContain('/api/svc/operations/run');
    expect(bytes).toBeLessThanOrEqual(5_500);
  });

  it('is openapi-fetch too once `raw` is used, and not before', async () => {
    const { code, later } = await loadedBy('client');

    expect(later).toHaveLength(1);
    expect(later[0]).toContain('Middleware must be an object');
    expect(code).not.toContain('Middleware must be an object');
    expect(sizeOf(later.join(''))).toBeLessThanOrEqual(2_700);
  });

  it('is at most 4,000 bytes for all public reads, and less for one of them', async () => {
    const [reads, oneRead] = await Promise.all([loadedBy('reads'), loadedBy('one-read')]);

    expect(reads.code).toContain('/api/identity/{handle}');
    expect(reads.later).toEqual([]);
    expect(reads.bytes).toBeLessThanOrEqual(4_000);
    expect(oneRead.code).not.toContain('/api/identity/{handle}');
    expect(oneRead.bytes).toBeLessThan(reads.bytes);
  });

  it('holds neither the console nor the policy unless they are used', async () => {
    const { code } = await loadedBy('client');

    expect(code).not.toMatch(/api\/console|minTrust/);
  });
});
