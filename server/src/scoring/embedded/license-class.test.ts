import { describe, expect, it } from 'vitest';
import { licenseClass } from './license-class.ts';

describe('licenseClass', () => {
  it.each([
    'MIT',
    'mit',
    ' Apache-2.0 ',
    'GPL-3.0',
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'EPL-2.0+',
    'Unlicense',
    'MIT OR Apache-2.0',
    '(MIT OR Apache-2.0)',
    'Proprietary OR MIT',
    'MIT AND BSD-3-Clause',
    'GPL-2.0-only WITH Classpath-exception-2.0',
  ])('counts %j as open source', (text) => {
    expect(licenseClass(text)).toBe('osi');
  });

  it.each([
    'NOASSERTION',
    'Proprietary',
    'CC-BY-SA-4.0',
    'CC0-1.0',
    'FSL-1.1-ALv2',
    'Sustainable Use License',
    'Complete terms in LICENSE.txt',
    'APGL-3.0',
    'MIT License',
    'MIT-ish',
    'MIT, but not for you',
    'MIT AND Proprietary',
    'MIT AND (Apache-2.0 OR Proprietary)',
    'MIT WITH',
    'OR',
  ])('counts %j as another text', (text) => {
    expect(licenseClass(text)).toBe('other');
  });

  it.each(['NONE', 'none', 'UNLICENSED', 'No license'])(
    'counts %j as the statement that there is none',
    (text) => {
      expect(licenseClass(text)).toBe('none');
    },
  );

  it.each(['', '  ', '\t'])('reads nothing out of blank text %j', (text) => {
    expect(licenseClass(text)).toBeNull();
  });
});
