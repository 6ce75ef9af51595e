import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SUBJECT_TYPES } from '../../scoring/subject-type.ts';
import { isValidAlias } from './normalise.ts';
import { readPlatformHandle } from './platforms.ts';
import { createPublicUrls, publicPath } from './public-path.ts';
import { aliasesOf } from './read-subject.ts';
import { accountAliases } from './stored-aliases.ts';

const publicUrls = createPublicUrls('https://trust.example/base');

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

/** Texts of every kind, and pieces of addresses in unusual orders. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 600 }),
  fc.array(fc.constantFrom(...PARTS), { maxLength: 9 }).map((parts) => parts.join('')),
  fc
    .array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ maxLength: 6 })), { maxLength: 9 })
    .map((parts) => parts.join('')),
);

describe('labelsOf', () => {
  it('never throws, and returns only aliases that can be stored', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...SUBJECT_TYPES), (text, type) => {
        const labels = aliasesOf(text, type, publicUrls);

        expect(labels.every(isValidAlias)).toBe(true);
        expect(new Set(labels).size).toBe(labels.length);
        expect(labels.length).toBeLessThan(40);
      }),
      { numRuns: 20_000 },
    );
  });

  it('resolves the page and the stored address of every importable account to that account only', () => {
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
            publicUrls,
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
            const labels = aliasesOf(address, type, publicUrls);
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
