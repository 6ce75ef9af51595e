import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const text = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
const [, section = ''] = /\n## Recipes\n([\s\S]*?)\n## /.exec(text) ?? [];
const recipes = section
  .split(/^### /m)
  .slice(1)
  .map((recipe) => recipe.trim().split('\n'))
  .map(([title = '', ...lines]) => ({ title, lines: lines.filter((line) => line !== '') }));

const MAX_LINES = 10;

it.each(recipes)('$title has at most ten lines, and begins with the file to start in', ({ lines }) => {
  const steps = lines.join('\n').split(/^(?=\d+\. )/m);
  const first = steps.find((step) => step.startsWith('1. ')) ?? '';

  expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
  expect(first).toMatch(/`[\w./<>-]+\.(?:tsx?|yaml|sql)`|`[\w./-]+\/`/);
});

it('the recipes have no step that no check reports, and there is one for every concept', () => {
  expect(section).not.toMatch(/unreported/i);
  expect(recipes.map(({ title }) => title)).toEqual([
    'An endpoint',
    'A refusal of metered calls',
    'A charge source',
    'A filter or sort of the directory',
    'A subject form',
    'A signal',
    'A page',
    'A metric',
    'A host',
    'A setting',
    'A command',
    'A migration',
  ]);
});
