import { describe, expect, it } from 'vitest';
import { artifact } from '../../../testing/import/rows.ts';
import { artifactKeyOf, artifactRowOf, combineStatements } from './artifact-statements.ts';

const stated = (name: string, more: Record<string, unknown> = {}) =>
  artifactRowOf(artifact('acme/tools', name, { path: 'src/time-server', ...more }));

describe('the place of a statement', () => {
  it('is the path in any spelling, and the name without a path', () => {
    const place = artifactKeyOf(stated('Time'));

    for (const path of ['/src/time-server/', 'SRC/Time-Server', 'src//time-server/SKILL.md'])
      expect(artifactKeyOf(stated('Clock', { path }))).toBe(place);
    expect(artifactKeyOf(stated('Time', { path: 'src/time' }))).not.toBe(place);
    expect(artifactKeyOf(stated('Time', { path: null }))).not.toBe(
      artifactKeyOf(stated('Clock', { path: null })),
    );
    expect(artifactKeyOf(stated('Time', { path: '/' }))).toBe(artifactKeyOf(stated('Time', { path: null })));
  });

  it('of an agent is not that of a skill, because the type of a subject never changes', () => {
    expect(artifactKeyOf(stated('Time', { kind: 'agent' }))).not.toBe(artifactKeyOf(stated('Time')));
  });
});

describe('statements about one artifact', () => {
  const first = stated('Acme Tools', { sources: ['a/list', 'b/list', 'c/list'], description: 'Tells time.' });
  const second = stated('Time Server', { npmPackage: ' time-server ' });
  const third = stated('Time', { sources: ['a/list', 'b/list'], license: 'MIT', description: 'A clock.' });

  it('take the name that fits the path best, and what it leaves open from the next best', () => {
    const { shown, others } = combineStatements([first, second, third]);

    expect(shown).toMatchObject({ name: 'Time Server', npmPackage: 'time-server', license: 'MIT' });
    expect(shown.description).toBe('A clock.');
    expect(others.map(({ name }) => name)).toEqual(['Time', 'Acme Tools']);
  });

  it('give the same in any order', () => {
    const expected = combineStatements([first, second, third]);

    expect(combineStatements([third, first, second])).toEqual(expected);
    expect(combineStatements([second, third, first])).toEqual(expected);
  });

  it('take an address as name only if there is no other name', () => {
    const address = stated('acme/tools/src/time-server', { sources: ['a/list', 'b/list'] });

    expect(combineStatements([address, stated('Clock')]).shown.name).toBe('Clock');
    expect(combineStatements([address]).shown.name).toBe('acme/tools/src/time-server');
  });

  it('that fit equally well are ordered by their number of sources, then by name', () => {
    const names = [stated('Clock'), stated('Watch', { sources: ['a/list', 'b/list'] }), stated('Alarm')];

    const { shown, others } = combineStatements(names);

    expect([shown, ...others].map(({ name }) => name)).toEqual(['Watch', 'Alarm', 'Clock']);
  });
});
