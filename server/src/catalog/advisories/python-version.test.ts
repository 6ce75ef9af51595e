import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { comparePythonVersions, type PythonVersion, parsePythonVersion } from './python-version.ts';

function parsed(text: string): PythonVersion {
  const version = parsePythonVersion(text);
  if (version === null) throw new Error(`${text} is no version`);
  return version;
}

/** Versions in the order of PEP 440. */
const ORDERED = [
  '1.0.dev456',
  '1.0a1',
  '1.0a2.dev456',
  '1.0a12.dev456',
  '1.0a12',
  '1.0b1.dev456',
  '1.0b2',
  '1.0b2.post345.dev456',
  '1.0b2.post345',
  '1.0rc1.dev456',
  '1.0rc1',
  '1.0',
  '1.0+abc.5',
  '1.0+abc.7',
  '1.0+5',
  '1.0.post456.dev34',
  '1.0.post456',
  '1.1.dev1',
  '1.2',
  '1.10',
  '2025.9.25',
  '20240101000000000000000001',
  '1!0.1',
];

it('orders versions as PEP 440 does', () => {
  const index = fc.nat({ max: ORDERED.length - 1 });
  fc.assert(
    fc.property(index, index, (one, other) => {
      const order = comparePythonVersions(parsed(ORDERED[one] ?? ''), parsed(ORDERED[other] ?? ''));

      expect(Math.sign(order)).toBe(Math.sign(one - other));
    }),
  );
});

it('reads every spelling of a version as the same one', async () => {
  const rows = [
    ['1.0', 'v1.0'],
    ['1.0', '1.0.0'],
    ['1.0a1', '1.0-ALPHA.1'],
    ['1.0rc1', '1.0.preview1'],
    ['1.0rc0', '1.0c'],
    ['1.0.post1', '1.0-1'],
    ['1.0.post0', '1.0.r'],
    ['1.0.dev0', '1.0_dev'],
    ['1.0+ubuntu.1', '1.0+Ubuntu-1'],
    ['0!1', '01'],
  ] as const;

  await expectEveryRow(
    rows,
    (row) => row.join(' = '),
    ([one, other]) => expect(comparePythonVersions(parsed(one), parsed(other))).toBe(0),
  );
});

it.each(['', 'latest', '1.0-x', '1..0', '2004x', '>=1.0', '1.0+', '1.0 1'])('%j is no version', (text) => {
  expect(parsePythonVersion(text)).toBeNull();
});
