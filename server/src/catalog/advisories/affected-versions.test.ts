import { expect, it } from 'vitest';
import { sampleRecords } from '../../../testing/advisories/sample-advisories.ts';
import { expectEveryRow } from '../../../testing/every-row.ts';
import {
  describeAffected,
  intervalsOf,
  isAffected,
  type RangeEvent,
  versionsOutside,
} from './affected-versions.ts';
import { type Ecosystem, ecosystemNamed } from './ecosystems.ts';

/** Versions that real records list in addition to their ranges. The ranges must therefore contain them. */
const LISTED = sampleRecords().flatMap(({ id, affected }) =>
  affected.flatMap(({ package: { ecosystem }, versions = [], ranges = [] }) =>
    ranges.length === 0
      ? []
      : versions.map((version) => ({ id, ecosystem: ecosystemNamed(ecosystem), version, ranges })),
  ),
);

it('finds each version that a real record lists within the ranges of the record', async () => {
  expect(LISTED.length).toBeGreaterThan(150);

  await expectEveryRow(
    LISTED,
    ({ id, version }) => `${id} ${version}`,
    ({ ecosystem, version, ranges }) => {
      if (ecosystem === null) throw new Error('the ecosystem is not known');
      const intervals = ranges.flatMap(({ events }) => intervalsOf(ecosystem, events) ?? []);
      expect(isAffected(ecosystem, version, { versions: [], intervals })).toBe(true);
    },
  );
});

type Row = readonly [
  ecosystem: Ecosystem,
  events: readonly RangeEvent[],
  affected: readonly string[],
  others: readonly string[],
];

const RANGES: readonly Row[] = [
  ['npm', [{ introduced: '0' }], ['0.0.1', '1.0.0-alpha', '99.0.0'], []],
  ['npm', [{ introduced: '1.0.16' }], ['1.0.16', '1.0.17', '2.0.0'], ['1.0.15', '1.0.16-beta.1']],
  ['npm', [{ introduced: '0' }, { fixed: '0.1.16' }], ['0.1.15', '0.1.16-rc.1'], ['0.1.16', '0.2.0']],
  ['npm', [{ introduced: '0.0.5' }, { last_affected: '0.1.15' }], ['0.0.5', '0.1.15'], ['0.0.4', '0.1.16']],
  ['npm', [{ introduced: '1' }, { fixed: '1.2' }], ['1.0.0', '1.1.9'], ['0.9.9', '1.2.0']],
  // The order of events does not matter, and a range may have gaps.
  [
    'npm',
    [{ fixed: '2.0.0' }, { introduced: '10.0.0' }, { introduced: '1.0.0' }, { fixed: '11.0.0' }],
    ['1.0.0', '1.9.9', '10.5.0'],
    ['0.1.0', '2.0.0', '9.0.0', '11.0.0'],
  ],
  [
    'npm',
    [{ introduced: '1.0.0' }, { introduced: '1.5.0' }, { fixed: '2.0.0' }],
    ['1.0.0', '1.7.0'],
    ['0.9.0', '2.0.0'],
  ],
  ['npm', [{ introduced: '0' }, { limit: '3.0.0' }], ['2.9.9'], ['3.0.0', '4.0.0']],
  ['npm', [{ introduced: '0' }, { limit: '*' }], ['2.9.9', '4.0.0'], []],
  ['npm', [{ introduced: '1.0.0' }, { fixed: '1.0.1' }], ['1.0.0+build.5'], ['1.0.1+build.5']],
  [
    'pypi',
    [{ introduced: '0' }, { fixed: '1.0.10rc1' }],
    ['1.0.9', '1.0.10b2', '1.0.10.dev1'],
    ['1.0.10rc1', '1.0.10'],
  ],
  [
    'pypi',
    [{ introduced: '0' }, { last_affected: '2.6.5' }],
    ['2.6.5', '2.6.5rc1'],
    ['2.6.5.post1', '2.6.10'],
  ],
  [
    'pypi',
    [{ introduced: '2025.9' }, { fixed: '2025.12.18' }],
    ['2025.9.25', '2025.11'],
    ['2025.12.18', '2026.1'],
  ],
];

it('evaluates ranges as OSV defines them', async () => {
  await expectEveryRow(
    RANGES,
    ([ecosystem, events]) => `${ecosystem} ${JSON.stringify(events)}`,
    ([ecosystem, events, affected, others]) => {
      const intervals = intervalsOf(ecosystem, events) ?? [];
      const judged = (version: string) => isAffected(ecosystem, version, { versions: [], intervals });

      expect(affected.filter((version) => !judged(version))).toEqual([]);
      expect(others.filter(judged)).toEqual([]);
    },
  );
});

it('affects only the listed versions of a hijacked package, in any spelling', () => {
  const npm = { versions: ['0.5.1', '0.6.1'], intervals: [] };
  const pypi = { versions: ['1.0'], intervals: [] };

  expect(
    ['0.5.0', '0.5.1', '0.6.0', '0.6.1', '0.7.0'].filter((each) => isAffected('npm', each, npm)),
  ).toEqual(['0.5.1', '0.6.1']);
  expect(['1', '1.0.0', 'v1.0', '1.0.post1'].filter((each) => isAffected('pypi', each, pypi))).toEqual([
    '1',
    '1.0.0',
    'v1.0',
  ]);
});

it('affects the whole package without versions and ranges, and a version outside of the range that is listed', () => {
  const intervals = intervalsOf('npm', [{ introduced: '0' }, { fixed: '1.0.0' }]) ?? [];

  expect(isAffected('npm', '7.0.0', { versions: [], intervals: [] })).toBe(true);
  expect(isAffected('npm', '7.0.0', { versions: ['7.0.0'], intervals })).toBe(true);
  expect(isAffected('npm', '6.0.0', { versions: ['7.0.0'], intervals })).toBe(false);
});

it('reads no interval from a range whose versions the registry could not have', () => {
  expect(intervalsOf('npm', [{ introduced: '0' }, { fixed: 'next' }])).toBeNull();
  expect(intervalsOf('pypi', [{ introduced: 'unknown' }])).toBeNull();
  expect(intervalsOf('npm', [])).toEqual([]);
});

it('describes ranges and the versions outside of them', async () => {
  const rows: readonly [RangeEvent[], string[], string[]][] = [
    [[{ introduced: '0' }], ['1.0.0'], ['all versions']],
    [[{ introduced: '1.0.16' }], [], ['>=1.0.16']],
    [
      [{ introduced: '0' }, { fixed: '0.1.16' }],
      ['0.1.0', '3.0.0'],
      ['<0.1.16', '3.0.0'],
    ],
    [[{ introduced: '0.0.5' }, { last_affected: '0.1.15' }], [], ['>=0.0.5 <=0.1.15']],
  ];

  await expectEveryRow(
    rows,
    ([events]) => JSON.stringify(events),
    ([events, versions, texts]) => {
      const intervals = intervalsOf('npm', events) ?? [];
      const outside = versionsOutside('npm', versions, intervals);
      expect(describeAffected({ versions: outside, intervals })).toEqual(texts);
    },
  );
  expect(describeAffected({ versions: ['0.5.1'], intervals: [] })).toEqual(['0.5.1']);
  expect(describeAffected({ versions: [], intervals: [] })).toEqual(['all versions']);
});
