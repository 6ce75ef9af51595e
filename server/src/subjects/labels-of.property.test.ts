import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountAliases } from './labels.ts';
import { labelsOf } from './labels-of.ts';
import { createNaming } from './naming.ts';
import { isLabel } from './normalise.ts';
import { readPlatformHandle } from './platform-handle.ts';
import { publicPath } from './public-path.ts';
import { SUBJECT_TYPES } from './subject-type.ts';

const naming = createNaming('https://trust.example/base');

const PARTS = [
  'https://',
  'git@',
  'ssh://',
  'github.com',
  'gitlab.com',
  'x.com',
  't.me',
  'linkedin.com',
  'mastodon.social',
  'trust.example/base',
  'npm:',
  'pypi:',
  'telegram:',
  'mastodon:',
  'did:',
  'id/',
  'company/',
  '/u/',
  '/m/',
  '/a/',
  '/s/id/',
  '/c/',
  'acme',
  'constructor',
  '__proto__',
  'robot.git',
  '@',
  ':',
  '/',
  '//',
  '#',
  '?',
  '%',
  '%2f',
  '%ff',
  '..',
  '.',
  ' ',
  '\\',
  '[',
  '\u0000',
  '\ud800',
  '\u200b',
  '／',
  '＠',
  'İ',
  'ﷺ',
];

/** Texts of every kind, and pieces of addresses in orders that nobody writes. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 600 }),
  fc.array(fc.constantFrom(...PARTS), { maxLength: 9 }).map((parts) => parts.join('')),
  fc
    .array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ maxLength: 6 })), { maxLength: 9 })
    .map((parts) => parts.join('')),
);

describe('labelsOf', () => {
  it('never throws, and answers nothing that could not be stored as a label', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...SUBJECT_TYPES), (text, type) => {
        const labels = labelsOf(text, type, naming);

        expect(labels.every(isLabel)).toBe(true);
        expect(new Set(labels).size).toBe(labels.length);
        expect(labels.length).toBeLessThan(40);
      }),
      { numRuns: 20_000 },
    );
  });

  it('reads the page and the stored address of every account that can be imported as that account alone', () => {
    const platforms = fc.constantFrom(
      'x',
      'telegram',
      'linkedin',
      'reddit',
      'bluesky',
      'mastodon.social',
      'slack',
    );
    const handles = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
      fc.stringMatching(/^(?:company\/|r\/|@)?[A-Za-z0-9._-]{1,20}$/),
    );
    let read = 0;
    fc.assert(
      fc.property(
        platforms,
        handles,
        fc.constantFrom('social_account', 'messaging_account'),
        (platform, text, type) => {
          const found = readPlatformHandle(platform, text);
          if (found === null || found.handle.normalize('NFKC') !== found.handle) return;
          read += 1;
          const { handle } = found;
          const path = publicPath(
            {
              id: 'x',
              type,
              agentId: null,
              host: found.platform,
              repository: null,
              artifactName: null,
              handle,
              holdsBareName: false,
            },
            naming,
          );
          const names = {
            id: 'x',
            platform: found.platform,
            handle,
            name: null,
            formerHandles: [],
            platformAccountId: null,
          };
          const stored = accountAliases(names).map(({ label }) => label);

          for (const address of [path, `https://trust.example/base${path}`, `${found.platform}:${handle}`]) {
            const labels = labelsOf(address, type, naming);
            expect(labels, address).toHaveLength(1);
            expect(stored, address).toContain(labels[0]);
          }
        },
      ),
      { numRuns: 4_000, examples: [['x', 'Σ։', 'social_account']] },
    );
    expect(read).toBeGreaterThan(1_000);
  });
});
