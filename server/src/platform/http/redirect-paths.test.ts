import { describe, expect, it } from 'vitest';
import { pathOnThisSite } from './redirect-paths.ts';

const SITE = 'https://trust.example';

describe('an own path', () => {
  it.each([
    ['/', '/'],
    ['/console/keys?state=active#k', '/console/keys?state=active#k'],
    ['/a/b c', '/a/b%20c'],
    ['/c/ä', '/c/%C3%A4'],
    ['/a/../console', '/console'],
    ['/x?u=https://other.example', '/x?u=https://other.example'],
    ['/@other.example', '/@other.example'],
  ])('is %s', (text, path) => {
    expect(pathOnThisSite(text, SITE)).toBe(path);
  });

  it.each([
    '//other.example',
    '/\\other.example',
    '/\t/other.example',
    '/\n/other.example',
    '\t//other.example',
    ' /console',
    '/.//other.example',
    '/a/..//other.example',
    '/./\\other.example',
    '/%2e//other.example',
    'https://other.example',
    'https:/console',
    'https://trust.example/console',
    'javascript:alert(1)',
    'console',
    '',
    `/${'a'.repeat(2_000)}`,
    `/${'ä'.repeat(700)}`,
    ['/console'],
    undefined,
    null,
    7,
  ])('is not %j', (text) => {
    expect(pathOnThisSite(text, SITE)).toBeNull();
  });

  it('names no other place to a browser, whatever it was read from', () => {
    const pieces = ['/', '\\', '.', '%2e', '%2f', '\t', '\n', '@', ':', '?', '#', 'other.example', '\u0000'];
    for (const one of pieces)
      for (const two of pieces)
        for (const three of pieces)
          for (const four of pieces) {
            const path = pathOnThisSite(`/${one}${two}${three}${four}`, SITE);
            if (path !== null) expect(new URL(path, SITE).origin).toBe(SITE);
          }
  });
});
