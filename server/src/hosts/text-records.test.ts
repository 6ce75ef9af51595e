import { expect, it } from 'vitest';
import { createTextRecords } from './text-records.ts';

it('has the records that DNS tells, each in one piece, and none where DNS is silent', async () => {
  const answers: Record<string, string[][]> = { 'a.example': [['one ', 'piece'], ['two']] };
  const textRecords = createTextRecords(
    async (name) => answers[name] ?? Promise.reject(new Error('ESERVFAIL')),
  );

  expect(await textRecords('a.example')).toEqual(['one piece', 'two']);
  expect(await textRecords('b.example')).toEqual([]);
});
