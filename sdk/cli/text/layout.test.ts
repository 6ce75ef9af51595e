import { describe, expect, it } from 'vitest';
import { fieldLines, flow, paragraph } from './layout.ts';
import { painter } from './paint.ts';

const plain = painter(false);

describe('on 20 columns', () => {
  const page = { columns: 20, paint: plain };

  it('values go on under themselves', () => {
    const lines = fieldLines(
      [
        ['type', 'agent'],
        ['name', 'a name of some length'],
      ],
      page,
    );

    expect(lines).toEqual(['type  agent', 'name  a name of some', '      length']);
  });

  it('texts stand side by side while they fit', () => {
    expect(flow([['AGT-7K2MQ9XD'], ['agent'], [''], ['trust 60.8']], page, 2)).toEqual([
      '  AGT-7K2MQ9XD',
      '  agent  trust 60.8',
    ]);
  });

  it('a paragraph keeps its indent', () => {
    expect(paragraph('Drafts release notes.', page, null, 4)).toEqual(['    Drafts release', '    notes.']);
  });
});

it('colours count as no columns', () => {
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
