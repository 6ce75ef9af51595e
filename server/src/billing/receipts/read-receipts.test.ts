import { expect, it } from 'vitest';
import { timeRangeOf } from './read-receipts.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const cursorOf = (moment: string) => Buffer.from(JSON.stringify([moment, ID])).toString('base64url');
const days = Array.from({ length: 366 }, (_, day) => new Date(Date.UTC(2028, 0, 1 + day)));

it('a cursor of any day of a year continues after that call', () => {
  const moments = days.map((day) => day.toISOString().replace('Z', '496Z'));

  const positions = moments.map(
    (moment) => timeRangeOf({ cursor: cursorOf(moment), from: null, to: null }).before?.created_at,
  );

  expect(positions).toEqual(moments);
});

it.each([
  '2027-02-29T00:00:00.000000Z',
  '2027-13-01T00:00:00.000000Z',
  '2027-01-32T00:00:00.000000Z',
  '2027-01-01',
])('a cursor with the moment %s is refused', (moment) => {
  expect(() => timeRangeOf({ cursor: cursorOf(moment), from: null, to: null })).toThrow(
    'cursor does not belong to this list',
  );
});
