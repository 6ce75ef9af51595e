import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CredentialFilter } from './credential-filter.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest();

describe('a filter of credentials', () => {
  it('holds whatever was added, and of a hundred thousand takes hardly a stranger for one of them', () => {
    const filter = new CredentialFilter();
    for (let index = 0; index < 100_000; index += 1) filter.add(hashOf(`key ${index}`));

    let missing = 0;
    let mistaken = 0;
    for (let index = 0; index < 100_000; index += 1) {
      if (!filter.mayHold(hashOf(`key ${index}`))) missing += 1;
      if (filter.mayHold(hashOf(`guess ${index}`))) mistaken += 1;
    }

    expect(missing).toBe(0);
    expect(mistaken).toBeLessThan(10);
  });

  it('holds nothing at first', () => {
    expect(new CredentialFilter().mayHold(hashOf('guess'))).toBe(false);
  });
});
