import { describe, expect, it } from 'vitest';
import { painter } from './colors.ts';
import { fieldLines, flow, paragraph } from './layout.ts';

const plain = painter(false);

describe('on 20 columns', () => {
  const page = { columns: 20, paint: plain };

  it('values wrap within their column', () => {
    const lines = fieldLines(
      [
        ['type', 'agent'],
        ['name', 'a name of some length'],
      ],
      page,
    );

    expect(lines).toEqual(['type  agent', 'name  a name of some', '      length']);
  });

  it('texts are side by side while they fit', () => {
    expect(flow([['AGT-7K2MQ9XD'], ['agent'], [''], ['trust 60.8']], page, 2)).toEqual([
      '  AGT-7K2MQ9XD',
      '  agent  trust 60.8',
    ]);
  });

  it('a paragraph keeps its indent', () => {
    expect(paragraph('Drafts release notes.', page, null, 4)).toEqual(['    Drafts release', '    notes.']);
  });
});

it('colour codes take no columns', () => {
  const page = { columns: 12, paint: painter(true) };

  expect(
    flow(
      [
        ['agent', 'cyan'],
        ['high', 'green'],
      ],
      page,
    ),
  ).toHaveLength(1);
});
