import { expect, it } from 'vitest';
import { findMutants } from './find-mutants.ts';
import { applied } from './mutant.ts';

/** Returns every broken version of a text. */
function broken(text: string): string[] {
  return findMutants('some.ts', text).map((mutant) => applied(text, mutant));
}

it('turns conditions, comparisons and arithmetic round, and leaves statements out', () => {
  expect(broken('if (a < b) stop();')).toEqual([
    'if (!(a < b)) stop();',
    'if (a <= b) stop();',
    'if (a < b) ;',
  ]);
  expect(broken('const left = total - used;')).toEqual(['const left = total + used;']);
  expect(broken('if (!ok) throw new Error();')).toContain('if (!ok) ;');
});

it('drops each guard of a statement, and each lock', () => {
  const sql = (where: string) => `const SQL = \`SELECT 1 FROM t ${where}\`;`;

  const found = broken(sql('WHERE a = $1 AND b.state = $2 FOR NO KEY UPDATE'));

  expect(found).toEqual([
    sql('WHERE true AND b.state = $2 FOR NO KEY UPDATE'),
    sql('WHERE a = $1 AND true FOR NO KEY UPDATE'),
    sql('WHERE a = $1 AND b.state = $2'),
  ]);
});

it('keeps to the bracket that a guard stands in, and out of what is put into a template', () => {
  const given =
    'const SQL = `WITH x AS (SELECT 1 FROM t WHERE (a = 1 OR b = 2) AND c = 3) SELECT $' + '{x} FROM x`;';

  expect(broken(given)).toEqual([
    given.replace('(a = 1 OR b = 2) ', 'true '),
    given.replace('c = 3)', 'true )'),
  ]);
});

it('shifts comparisons and sums of buckets', () => {
  const given = 'const SQL = `UPDATE b SET held = held - x WHERE lease_until > now()`;';

  expect(broken(given)).toEqual([
    given.replace('lease_until > now()', 'true '),
    given.replace('> now', '>= now'),
    given.replace('held - x', 'held + x'),
  ]);
});
