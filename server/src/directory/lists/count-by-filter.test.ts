import { expect, it } from 'vitest';
import { countChosen, type Facet } from './count-by-filter.ts';

const FACETS: Facet[] = [
  {
    type: 'agent',
    verified: true,
    tier: 'high',
    category: 'coding',
    kind: 'agent',
    license: 'MIT',
    count: 2,
  },
  { type: 'agent', verified: false, tier: 'low', category: 'coding', kind: 'agent', license: '', count: 30 },
  {
    type: 'skill',
    verified: false,
    tier: 'low',
    category: 'data',
    kind: 'plugin',
    license: 'mit',
    count: 400,
  },
];
const ALL = { type: null, verified: null, tier: null, category: null };

it('counts what every choice of filters leaves', () => {
  expect(countChosen(FACETS, ALL)).toBe(432);
  expect(countChosen(FACETS, { ...ALL, type: 'agent' })).toBe(32);
  expect(countChosen(FACETS, { ...ALL, verified: false })).toBe(430);
  expect(countChosen(FACETS, { ...ALL, tier: 'low', category: 'coding' })).toBe(30);
  expect(countChosen(FACETS, { ...ALL, category: 'research' })).toBe(0);
  expect(countChosen(FACETS, { ...ALL, kind: 'agent' })).toBe(32);
  expect(countChosen(FACETS, { ...ALL, license: 'Mit' })).toBe(402);
});
