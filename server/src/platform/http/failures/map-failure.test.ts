import { describe, expect, it } from 'vitest';
import { toDomainError } from './map-failure.ts';

const failed = (code: string) => Object.assign(new Error('refused'), { code });

describe('a failure of the database', () => {
  it.each(['55P03', '40P01', '40001'])('%s, for the sake of another transaction: busy', (code) => {
    expect(toDomainError(failed(code))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/busy.*Try again/),
      details: { retryAfterSeconds: 2 },
    });
  });

  it.each(['57P01', '08006', '53300', '57014'])('%s, where it can do no work: out of reach', (code) => {
    expect(toDomainError(failed(code))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('cannot reach its database'),
      details: { retryAfterSeconds: 2 },
    });
  });
});
