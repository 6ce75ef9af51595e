import { describe, expect, it } from 'vitest';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { type ListFilters, type Position, readCursor, writeCursor } from './cursor.ts';

const filters: ListFilters = { q: null, verified: null, tier: null, category: null, sort: 'score_desc' };
const position: Position = { sort: 'score_desc', trust: 31.1, confidence: 11.3, agentId: 'AGT-0A1B2C3D' };

describe('cursor', () => {
  it.each<Position>([
    position,
    { ...position, trust: 0.1 + 0.2, confidence: 100 },
    { ...position, trust: null, confidence: null },
    { ...position, sort: 'score_asc' },
    { sort: 'name', name: 'naïve "robot" 地図', agentId: 'AGT-0A1B2C3D' },
    { sort: 'name', name: null, agentId: 'AGT-0A1B2C3D' },
  ])('decodes %j to the same position', (given) => {
    const own = { ...filters, sort: given.sort };

    expect(readCursor(own, writeCursor(own, given))).toEqual(given);
  });

  it.each<Partial<ListFilters>>([
    { q: 'maps' },
    { verified: true },
    { verified: false },
    { tier: 'high' },
    { category: 'coding' },
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
    const forged = writeCursor(byName, { sort: 'name', name: 'a\u0000', agentId: 'AGT-0A1B2C3D' });

    expect(() => readCursor(byName, forged)).toThrow(DomainError);
  });

  it('stays within the 1,024 characters of the contract, however long a name is', () => {
    const own = { ...filters, sort: 'name' as const };

    for (const name of ['地'.repeat(232), '地'.repeat(5_000), '"'.repeat(349), '"'.repeat(500)]) {
      const cursor = writeCursor(own, { sort: 'name', name, agentId: 'AGT-0A1B2C3D' });
      expect(cursor.length).toBeLessThanOrEqual(1024);
    }
  });
});
