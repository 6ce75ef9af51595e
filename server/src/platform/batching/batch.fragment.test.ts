import { expect, it } from 'vitest';
import { batchJson } from './batch-source.ts';

it.each([
  ['a zero byte as two characters', 'a\0b', 'a\\0b'],
  ['half a character as the one that stands for it', 'a\ud83d', 'a\ufffd'],
  ['both', '\udc00\0', '\ufffd\\0'],
  ['a whole character as it is', '🙂', '🙂'],
  ['what only looks like them as it is', '"\\u0000 \\ud83d"', '"\\u0000 \\ud83d"'],
  ['nothing as nothing', '', ''],
])('has %s, beside its place and whatever is no text', (_what, given, stored) => {
  const items = [{ text: given, price: 10, named: null, list: [given] }, { text: 'next' }];

  expect(JSON.parse(batchJson(items))).toEqual([
    { n: 0, text: stored, price: 10, named: null, list: [stored] },
    { n: 1, text: 'next' },
  ]);
});

it('has only the index for an item without fields', () => {
  expect(JSON.parse(batchJson([{}, { text: undefined }]))).toEqual([{ n: 0 }, { n: 1 }]);
});
