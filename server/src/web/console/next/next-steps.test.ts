import { describe, expect, it } from 'vitest';
import { type AccountState, nextStep, nextSteps } from './next-steps.ts';

const SETTLED: AccountState = {
  handle: 'noor-labs',
  keys: 1,
  hasUsedKey: true,
  hasCalls: true,
  hasProof: true,
  unclaimed: null,
  funds: { left: 900, total: 1000, canPay: true },
  canAllowOverage: false,
};
const FIRST: Partial<AccountState> = {
  handle: null,
  keys: 0,
  hasUsedKey: false,
  hasCalls: false,
  hasProof: false,
};
const unclaimed = { agentId: 'AGT-7K2MX9QD', name: 'Robot' };

describe('the next step', () => {
  it.each<[string, Partial<AccountState>, string | null, string | null]>([
    ['of a newcomer is a handle', FIRST, 'handle', '/console/handle'],
    ['after that is a key', { ...FIRST, handle: 'x' }, 'key', '/console/keys/new'],
    ['with a key is a call', { ...FIRST, handle: 'x', keys: 1 }, 'call', '/console/run'],
    [
      'after a call from the console is one with the key',
      { hasUsedKey: false },
      'unused',
      '/docs#first-call',
    ],
    [
      'after a registration is the claim',
      { unclaimed, hasProof: false },
      'claim',
      '/console/agents/AGT-7K2MX9QD/claim',
    ],
    ['after a call is a proof', { hasProof: false }, 'proof', '/console/accounts'],
    ['with a tenth left is none', { funds: { left: 100, total: 1000, canPay: true } }, null, null],
    [
      'with less left is more of it',
      { funds: { left: 99, total: 1000, canPay: true } },
      'low',
      '/console/plan#plans',
    ],
    [
      'with nothing left comes before everything',
      { ...FIRST, funds: { left: 0, total: 0, canPay: false } },
      'funds',
      '/console/plan#plans',
    ],
    [
      'where overage is to be had leads to it',
      { canAllowOverage: true, funds: { left: 4, total: 1000, canPay: false } },
      'funds',
      '/console/plan#overage',
    ],
    ['where all is done is none', {}, null, null],
  ])('%s', (_name, change, id, path) => {
    const step = nextStep({ ...SETTLED, ...change });

    expect([step?.id ?? null, step?.path ?? null]).toEqual([id, path]);
  });

  it('is the first open one of the listed steps', () => {
    const steps = nextSteps({ ...SETTLED, hasCalls: false, hasProof: false });

    expect(steps.map(({ id, isDone }) => [id, isDone])).toEqual([
      ['handle', true],
      ['key', true],
      ['call', false],
      ['proof', false],
    ]);
  });
});
