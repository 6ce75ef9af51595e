import { expect, it } from 'vitest';
import { countSelected, type Facet } from './count-by-filter.ts';

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

it('counts the matches of every filter combination', () => {
  expect(countSelected(FACETS, ALL)).toBe(432);
  expect(countSelected(FACETS, { ...ALL, type: 'agent' })).toBe(32);
  expect(countSelected(FACETS, { ...ALL, verified: false })).toBe(430);
  expect(countSelected(FACETS, { ...ALL, tier: 'low', category: 'coding' })).toBe(30);
  expect(countSelected(FACETS, { ...ALL, category: 'research' })).toBe(0);
  expect(countSelected(FACETS, { ...ALL, kind: 'agent' })).toBe(32);
  expect(countSelected(FACETS, { ...ALL, license: 'Mit' })).toBe(402);
});
