import { expect, it } from 'vitest';
import { planFaults } from './faults.ts';

it('plans five kills, five switchovers, three freezes and three partitions, each of another kind', () => {
  const names = planFaults().map(({ name }) => name);

  expect(names).toHaveLength(16);
  expect(names.filter((name) => name.startsWith('kill'))).toHaveLength(5);
  expect(names.filter((name) => name === 'switchover')).toHaveLength(5);
  expect(names.filter((name) => name.endsWith('frozen'))).toHaveLength(3);
  expect(new Set(names.filter((name) => name.startsWith('leader cut off')))).toHaveProperty('size', 3);
});

it('plans so many of each kind that is asked for', () => {
  expect(planFaults(['freeze', 'kill'], 1)).toHaveLength(2);
  expect(() => planFaults(['fire'])).toThrow('There are kill, switchover, freeze, partition.');
});
