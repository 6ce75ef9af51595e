import { expect, it } from 'vitest';
import { directionOf } from './direction.ts';

it.each([
  ['convert pdf to markdown', { from: 'pdf', to: 'markdown' }],
  ['Markdown into PDF', { from: 'markdown', to: 'pdf' }],
  ['html->text', { from: 'html', to: 'text' }],
  ['html → text', { from: 'html', to: 'text' }],
  ['csv 2 json', { from: 'csv', to: 'json' }],
  ['pdf markdown', null],
  ['tomato', null],
  ['to markdown', null],
])('the direction of %j is %j', (text, direction) => {
  expect(directionOf(text)).toEqual(direction);
});
