import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';
import { describe, expect, it } from 'vitest';

/** Bytes of the class client with openapi-fetch, minified and compressed. */
const BUDGET_BYTES = 5_500;

describe('what a browser loads', () => {
  it('is small, and needs nothing of Node', async () => {
    const [bundle] = await build({
      entry: [fileURLToPath(new URL('../src/client.ts', import.meta.url))],
      config: false,
      platform: 'neutral',
      deps: { alwaysBundle: [/./] },
      dts: false,
      minify: true,
      write: false,
      clean: false,
      logLevel: 'silent',
    });

    const chunks = bundle?.chunks ?? [];
    expect(chunks).toHaveLength(1);
    const [chunk] = chunks;
    if (chunk?.type !== 'chunk') throw new Error('the bundle holds no code');
    expect(chunk.imports).toEqual([]);
    expect(chunk.code).toContain('/api/svc/operations/run');
    expect(gzipSync(chunk.code, { level: 9 }).length).toBeLessThanOrEqual(BUDGET_BYTES);
  });
});
