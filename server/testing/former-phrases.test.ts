import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { OLD_FASHIONED } from './doc-comments.ts';
import { expectEveryRow } from './every-row.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Former texts that readers had to read twice, and that must not come back. */
const FORMER: readonly string[] = [
  "'within the last hour'",
  'more inside repositories',
  'A score that you pay for is charged once',
  'Recently changed',
  'The line begins with the second score',
  'that alone brings trust',
  'A list says so',
  'and follows the score',
  'name="inside it"',
  'Known from',
  'Commit to it again',
  'Close the issues that are done',
  'Take it out of the archive',
  'Too little is known for a figure of its own',
  'of the weight seen',
  'the lower end of the band is',
  'which only this account gets',
  'ccount named by the MCP registry, not proved here',
  'licence with terms of its own',
  "'used by some'",
  'Used by some',
  'activity not known',
  "'none proved'",
  'Nothing has all of these words',
  'Did you mean{',
  'Compare those ticked',
  'agents or skills beside each other',
  'Limits on its trust',
  'A score of one kind never stands in for another',
  'little speaks for it',
  'per fork are believed',
  'Limits that no evidence lifts',
  'the audience grew too much in one day',
  'A free call counts one',
  'By the first of these that can pay',
  'Looking something up does not add it',
  'Not possible here',
  'More requests came',
  'Not available just now',
  'What there is to try',
  'The same from a program',
  'Show the price only',
  'Ask again with the canonical',
  'Derived from yours',
  'Until you acknowledge one it is a claim',
  'Keys can be made until',
  'Empty: it does not expire',
  'Keep it</a>',
  'that is there already becomes yours',
  'As it is listed already',
  'could not be looked at yet',
  'Name one, publish a code there',
  'Lets calls go on after',
  'come from the operator of this directory',
  'may have 1 to 255',
  'of that name, repository or id is known here',
  'The credential is good, but not for this',
  "from somewhere else than this service's own pages",
  'it is what happens without a command, too',
  'Node.js is all it needs',
  'A weakness is told',
  'is found for the others, and finds none of them',
  'An example to try calls with',
  'How it is started or called',
  'One score, worked out',
  'Put it where programs look for it',
  'Everything that it answers',
  'From nothing to a first score',
  "'not always'",
  "'Newest here'",
  'Claims that wait',
  'do not tell whose these are. A reading',
  'Prove the owner of {',
  'Calls that fit{',
  'No call fits{',
  'No calls fit.',
  "'Under way'",
  'none: from the console',
  'What its score rests on now',
  'They are owed',
  'to make another.',
  'which is no folder. Make it',
];

/** Former phrases with variants, and words with a common replacement. */
const FORMER_PATTERNS: readonly RegExp[] = [
  OLD_FASHIONED,
  /evidence speaks for|nothing known (?:before|after) it/i,
  /\d sure\b/,
  /believed before anything|nobody has proved yet that/i,
  /what to name when you ask|one thing is not right yet/i,
  /minutes of its making|mend the request/i,
  /(?:it|that) is no (?:endorsement|accusation)/i,
];

const FOLDERS = ['server/docs', 'server/src', 'sdk/src', 'sdk/cli', 'sdk/docs', 'examples/src'];
const FILES = ['README.md', 'server/README.md', 'sdk/README.md', 'examples/README.md', 'openapi.yaml'];

/** Reads a file as users see it: in one line, without code comments. */
function textOf(path: string): string {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const shown = /\.tsx?$/.test(path)
    ? text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
    : text;
  return shown.replaceAll(/\s+/g, ' ');
}

const sources = [
  ...FILES,
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|md)$/.test(file) && !/\.test(-d)?\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  ),
].map((path) => ({ path, text: textOf(path) }));

it('finds the sources', () => {
  expect(sources.length).toBeGreaterThan(500);
});

it('no text matches a former pattern', async () => {
  const check = (former: RegExp) => {
    expect(sources.filter(({ text }) => former.test(text)).map(({ path }) => path)).toEqual([]);
  };

  await expectEveryRow(FORMER_PATTERNS, String, check);
});

it('no text says a former phrase any more', async () => {
  const check = (former: string) => {
    expect(sources.filter(({ text }) => text.includes(former)).map(({ path }) => path)).toEqual([]);
  };

  await expectEveryRow(FORMER, String, check);
});
