import { describe, expect, it } from 'vitest';
import { DomainError } from './domain-error.ts';

describe('a DomainError', () => {
  it('is an Error with its message', () => {
    const error = new DomainError('not_found', 'There is nothing.');

    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'DomainError', message: 'There is nothing.', status: 404 });
    expect(String(error)).toBe('DomainError: There is nothing.');
  });

  it('captures a stack for server failures only', () => {
    const { stack: ofTheCaller } = new DomainError('not_found', 'There is nothing.');
    const { stack: ofOurs } = new DomainError('internal_error', 'It broke.');

    expect(ofTheCaller).toBe('DomainError: There is nothing.');
    expect(ofOurs).toMatch(/^DomainError: It broke\.\n {4}at .*domain-error\.test\.ts/);
  });
});
