import { describe, expect, it } from 'vitest';
import { createStatementNames, FRESH_PLAN, INDEX_PLAN } from './send-statement.ts';

describe('the name of a statement', () => {
  it('follows from its text alone, in every pool and process', () => {
    const [one, other] = [createStatementNames(), createStatementNames()];
    other.nameOf('SELECT $1::text', ['first']);

    const name = one.nameOf('SELECT $1::int', [1]);

    expect(name).toMatch(/^td_[0-9a-f]{16}$/);
    expect(other.nameOf('SELECT $1::int', [2])).toBe(name);
    expect(one.nameOf('SELECT $1::bigint', [1])).not.toBe(name);
  });

  it.each([
    'SELECT $1',
    ' WITH a AS (SELECT $1) TABLE a',
    'insert INTO a VALUES ($1)',
    'UPDATE a SET b = $1',
    `${INDEX_PLAN} UPDATE a SET b = $1`,
  ])('is there for what is planned: %s', (text) => {
    expect(createStatementNames().nameOf(text, [1])).not.toBeNull();
  });

  it.each([
    'SET work_mem = $1',
    `${FRESH_PLAN} SELECT $1`,
    'EXPLAIN SELECT $1',
    'SELECTED $1',
    '',
    undefined,
    { text: 'SELECT $1' },
  ])('is not there for anything else: %s', (text) => {
    expect(createStatementNames().nameOf(text, [1])).toBeNull();
  });

  it.each([undefined, [], 'text', () => undefined])('is not there without values: %s', (values) => {
    expect(createStatementNames().nameOf('SELECT 1', values)).toBeNull();
  });

  it('is given to so many texts only, and those keep theirs', () => {
    const names = createStatementNames(2);
    const first = [1, 2].map((number) => names.nameOf(`SELECT $1, ${number}`, ['x']));

    const third = names.nameOf('SELECT $1, 3', ['x']);

    expect(third).toBeNull();
    expect([1, 2].map((number) => names.nameOf(`SELECT $1, ${number}`, ['x']))).toEqual(first);
    expect(first).not.toContain(null);
  });
});
