import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CredentialFilter } from './known-credentials.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest();

describe('a filter of credentials', () => {
  it('contains everything that was added, and has few false positives with 100,000 credentials', () => {
    const filter = new CredentialFilter();
    for (let index = 0; index < 100_000; index += 1) filter.add(hashOf(`key ${index}`));

    let missing = 0;
    let mistaken = 0;
    for (let index = 0; index < 100_000; index += 1) {
      if (!filter.mayContain(hashOf(`key ${index}`))) missing += 1;
      if (filter.mayContain(hashOf(`guess ${index}`))) mistaken += 1;
    }

    expect(missing).toBe(0);
    expect(mistaken).toBeLessThan(10);
  });

  it('is empty at first', () => {
    expect(new CredentialFilter().mayContain(hashOf('guess'))).toBe(false);
  });
});
