import { expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { cvssBaseScore, severityOfScore } from './osv-fields.ts';

it('gives the scores and words of the specification', async () => {
  const rows = [
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8, 'critical'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 9.6, 'critical'],
    ['CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8, 'high'],
    ['CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:C/C:H/I:L/A:N', 7.1, 'high'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1, 'medium'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N', 5.3, 'medium'],
    ['CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.6, 'low'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0, 'none'],
    ['CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:C/C:H/I:H/A:H/E:P', 9.1, 'critical'],
  ] as const;

  await expectEveryRow(
    rows,
    ([vector]) => vector,
    ([vector, score, word]) => {
      expect(cvssBaseScore(vector)).toBe(score);
      expect(severityOfScore(score)).toBe(word);
    },
  );
});

it.each([
  '',
  'CVSS:4.0/AV:N/AC:L',
  'CVSS:3.1/AV:N',
  'AV:N/AC:L/Au:N/C:C/I:C/A:C',
  'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
])('gives no score to %j', (vector) => {
  expect(cvssBaseScore(vector)).toBeNull();
});
