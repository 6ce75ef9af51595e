import { expect, it } from 'vitest';
import { createTextRecords } from './create-hosts.ts';

it('returns the DNS records, each as one string, and none if DNS fails', async () => {
  const answers: Record<string, string[][]> = { 'a.example': [['one ', 'piece'], ['two']] };
  const textRecords = createTextRecords(
    async (name) => answers[name] ?? Promise.reject(new Error('ESERVFAIL')),
  );

  expect(await textRecords('a.example')).toEqual(['one piece', 'two']);
  expect(await textRecords('b.example')).toEqual([]);
});
