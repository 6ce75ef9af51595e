import { describe, expect, it } from 'vitest';
import { requestFor } from '../../testing/operations/operation-parts.ts';
import { fingerprintOf, type OperationRequest } from './operation-call.ts';

const print = (changes: Partial<OperationRequest> = {}) =>
  fingerprintOf(requestFor('owner/repo', changes)).toString('hex');

describe('two requests are equal', () => {
  it('if operation and trimmed subject are, whatever the other fields contain', () => {
    expect(print({ subject: ' owner/repo\t' })).toBe(print());
    expect(print({ idempotencyKey: 'other', apiKeyId: 'id', dryRun: true })).toBe(print());
  });

  it('but not if the operation or the subject differs, even only by case', () => {
    const prints = [
      print(),
      print({ operation: 'skill_score' }),
      print({ subject: 'owner/repo2' }),
      print({ subject: 'Owner/repo' }),
      print({ subject: 'owner/repo","operation":"agent_score' }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});
