import { describe, expect, it } from 'vitest';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { type ListFilters, type Position, readCursor, writeCursor } from './cursor.ts';
import { SORTS, type Sort } from './sorts.ts';

const filters: ListFilters = { q: null, verified: null, tier: null, category: null, sort: 'score_desc' };
const agentId = 'AGT-0A1B2C3D';
const position: Position = { keys: [31.1, 11.3], agentId };
const LAST = { trust: 31.1, confidence: 11.3, stars: 5, cursorKey: null };

describe('cursor', () => {
  it.each<[Sort, readonly unknown[]]>([
    ['score_desc', [31.1, 11.3]],
    ['score_desc', [0.1 + 0.2, 100]],
    ['score_desc', [null, null]],
    ['score_asc', [31.1, 11.3]],
    ['stars', [7]],
    ['stars', [null]],
    ['updated', ['2026-02-01T10:00:00.000001Z']],
    ['newest', [null]],
    ['relevance', [3, 8]],
    ['relevance', [null, 8]],
    ['name', ['naïve "robot" 地図']],
    ['name', [null]],
  ])('by %s decodes %j to the same position', (sort, keys) => {
    const own = { ...filters, sort };

    expect(readCursor(own, writeCursor(own, { keys, agentId }))).toEqual({ keys, agentId });
  });

  it.each([0, 10_000, null])('of a search keeps its total: %j', (total) => {
    for (const sort of ['relevance', 'score_desc', 'stars', 'name'] as const) {
      const own: ListFilters = { ...filters, q: 'robot', sort };
      const keys = { relevance: [null, 8], score_desc: [31.1, 11.3], stars: [null], name: ['robot'] }[sort];

      expect(readCursor(own, writeCursor(own, { keys, agentId, total }))).toEqual({ keys, agentId, total });
    }
  });

  it.each<[Partial<ListFilters>, readonly unknown[], string]>([
    [{}, [31.1, 11.3], 'WyJkdmRGbHZWbGVBdU0iLDMxLjEsMTEuMywiQUdULTBBMUIyQzNEIl0'],
    [{ kind: 'plugin' }, [31.1, 11.3], 'WyJuM09LTVVRSEExemYiLDMxLjEsMTEuMywiQUdULTBBMUIyQzNEIl0'],
    [{ verified: false, tier: 'high', sort: 'stars' }, [7], 'WyJpLTVIYzV1Rk1UaEciLDcsIkFHVC0wQTFCMkMzRCJd'],
    [
      { q: 'robot', license: 'MIT', sort: 'relevance' },
      [0, 3],
      'WyJoa1VnZ2N5VjFQaXYiLDAsMywiQUdULTBBMUIyQzNEIl0',
    ],
    [{ tag: 'Web', sort: 'name' }, ['robot'], 'WyJaUG1PME1FNnBQSmwiLCJyb2JvdCIsIkFHVC0wQTFCMkMzRCJd'],
    [
      {
        ...{
          type: 'skill',
          category: 'data',
          kind: 'x',
          license: "a'b",
          tag: 't',
          verified: true,
          tier: 'low',
        },
        sort: 'updated',
      },
      ['2026-01-01T00:00:00.000000Z'],
      'WyJxZG56OXA4SDRPNzEiLCIyMDI2LTAxLTAxVDAwOjAwOjAwLjAwMDAwMFoiLCJBR1QtMEExQjJDM0QiXQ',
    ],
  ])('issued before for %j still leads on from %j', (changed, keys, cursor) => {
    const own = { ...filters, ...changed };

    expect(readCursor(own, cursor)).toEqual({ keys, agentId });
    expect(writeCursor(own, { keys, agentId })).toBe(cursor);
  });

  it.each<Partial<ListFilters>>([
    { q: 'maps' },
    { verified: true },
    { verified: false },
    { tier: 'high' },
    { category: 'coding' },
    { type: 'skill' },
    { kind: 'plugin' },
    { license: 'MIT' },
    { tag: 'web' },
    { sort: 'score_asc' },
    { sort: 'name' },
  ])('is refused by the list with %j', (other) => {
    const cursor = writeCursor(filters, position);

    expect(() => readCursor({ ...filters, ...other }, cursor)).toThrow(DomainError);
  });

  it.each([
    '',
    'x',
    'WzY0LjEsNTUuNSwiQUdULUMwTlQzWFQ3Il0',
    Buffer.from('{}').toString('base64url'),
    Buffer.from('null').toString('base64url'),
    Buffer.from('[]').toString('base64url'),
  ])('is refused if it was never issued: %j', (cursor) => {
    expect(() => readCursor(filters, cursor)).toThrow(
      'cursor does not belong to this list. Start again without it.',
    );
  });

  it.each<{ keys: unknown[] }>([
    { keys: ['31.1', 11.3, 'AGT-0A1B2C3D'] },
    { keys: [31.1, 11.3, "AGT-' OR 1=1"] },
    { keys: [31.1, 11.3, 7] },
    { keys: [31.1, 11.3] },
    { keys: [31.1, 11.3, 'AGT-0A1B2C3D', 1] },
    { keys: [-1, 31.1, 11.3, 'AGT-0A1B2C3D'] },
    { keys: ['7', 31.1, 11.3, 'AGT-0A1B2C3D'] },
    { keys: [7, 7, 31.1, 11.3, 'AGT-0A1B2C3D'] },
    { keys: [{ trust: 1 }, 11.3, 'AGT-0A1B2C3D'] },
  ])('is refused if its keys were changed to $keys', ({ keys }) => {
    const [owner] = JSON.parse(Buffer.from(writeCursor(filters, position), 'base64url').toString()) as [
      string,
    ];
    const forged = Buffer.from(JSON.stringify([owner, ...keys])).toString('base64url');

    expect(() => readCursor(filters, forged)).toThrow(DomainError);
  });

  it('is refused with a name that cannot be stored', () => {
    const byName: ListFilters = { ...filters, sort: 'name' };
    const forged = writeCursor(byName, { keys: ['a\u0000'], agentId });

    expect(() => readCursor(byName, forged)).toThrow(DomainError);
  });

  it.each(['2026-02-30T00:00:00.000000Z', '2026-04-31T00:00:00.000000Z', '0000-01-01T00:00:00.000000Z'])(
    'is refused with a day that no calendar has: %s',
    (moment) => {
      const byTime: ListFilters = { ...filters, sort: 'updated' };
      const forged = writeCursor(byTime, { keys: [moment], agentId });

      expect(() => readCursor(byTime, forged)).toThrow(DomainError);
    },
  );

  it('stays within the 1,024 characters of the contract, however long a name is', () => {
    const own = { ...filters, sort: 'name' as const };

    for (const name of ['地'.repeat(232), '地'.repeat(5_000), '"'.repeat(349), '"'.repeat(500)]) {
      const keys = SORTS.name.keysOf({ ...LAST, cursorKey: name });
      const cursor = writeCursor(own, { keys, agentId });
      expect(cursor.length).toBeLessThanOrEqual(1024);
    }
  });
});
