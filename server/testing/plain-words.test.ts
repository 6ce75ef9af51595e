import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Files that people read: sources, pages, the contract, documents. */
const READ_BY_PEOPLE = ['*.ts', '*.tsx', '*.mjs', '*.md', '*.yaml', '*.css', '*.sql', '.env.example'];
/** Generated or published files and the first 24 migrations, which are applied already. */
const AS_IT_IS =
  /\/generated\/|^server\/migrations\/00(?:[01]\d|2[0-4])|CHANGELOG|^sdk\/compatibility\/|plain-words/;
/** Old-fashioned words, each with a common replacement ("has", "anyone who", "exactly", "except"). */
const OLD_WORDS =
  /\b(bears|borne|whoever|whomever|thereof|therein|thereby|whereby|none but|(?:this|that) very|hence|albeit|lest|whilst|amongst|hereby|naught)\b/i;
/** Former phrases that newcomers did not understand. */
const OLD_PHRASES =
  /evidence speaks for|\d sure\b|believed before anything|nobody has proved yet that|nothing known (?:before|after) it|what to name when you ask|one thing is not right yet|minutes of its making|(?:it|that) is no (?:endorsement|accusation)|mend the request/i;

it('every text is in words that people use', () => {
  const listed = execFileSync('git', ['ls-files', '--', ...READ_BY_PEOPLE], { cwd: ROOT, encoding: 'utf8' });
  const files = listed.split('\n').filter((file) => file !== '' && !AS_IT_IS.test(file));

  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        (OLD_WORDS.test(line) || OLD_PHRASES.test(line)) && !line.startsWith('> ')
          ? [`${file}:${at + 1}: ${line.trim()}`]
          : [],
      ),
  );

  expect(files.length).toBeGreaterThan(1000);
  expect(found).toEqual([]);
});
