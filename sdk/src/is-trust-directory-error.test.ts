import { describe, expect, it, vi } from 'vitest';
import { expectEveryRow } from '../../server/testing/every-row.ts';
import { standIn } from '../test/stand-in.ts';
import { PolicyError } from './check-trust.ts';
import { errorClassFor } from './errors/api-errors.ts';
import * as errors from './errors/public-errors.ts';
import { isTrustDirectoryError } from './is-trust-directory-error.ts';

type Name = Parameters<typeof isTrustDirectoryError>[1];

/** Loads the package a second time, like a program that uses both its ESM and its CommonJS build. */
async function otherCopy() {
  vi.resetModules();
  return import('./index.ts');
}

describe('isTrustDirectoryError', () => {
  it('recognizes errors of another copy of the package, which instanceof does not', async () => {
    const other = await otherCopy();
    const server = await standIn({ status: 404, body: { error: 'not_found', message: 'None.' } });
    const client = new other.TrustDirectory({ baseUrl: server.url });

    const error = await client.agents.get('x').catch((reason) => reason);

    expect(error).toBeInstanceOf(other.NotFoundError);
    expect(error).not.toBeInstanceOf(errors.NotFoundError);
    const names: Name[] = ['TrustDirectoryError', 'ApiError', 'NotFoundError', 'GoneError', 'TimeoutError'];
    expect(names.map((name) => isTrustDirectoryError(error, name))).toEqual([true, true, true, false, false]);
    expect(isTrustDirectoryError(error)).toBe(true);
  });

  it('tells each class by its name, and a subclass as its base class', async () => {
    const statuses = [400, 401, 402, 403, 404, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503];
    const all = [
      ...statuses.map((status) => new (errorClassFor(status))('m', { status })),
      new errors.UnexpectedAnswerError('m', { status: 404 }),
      new errors.AbortError('m'),
      new errors.ConfigurationError('m'),
      new errors.ConnectionError('m'),
      new errors.HookError('m'),
      new errors.TimeoutError('m'),
      new PolicyError('m'),
    ];
    const names = all.map(({ name }) => name as Name);
    expect(new Set(names).size).toBe(22);

    await expectEveryRow(
      all,
      ({ name }) => name,
      (error) => {
        expect(names.filter((name) => isTrustDirectoryError(error, name))).toEqual([error.name]);
        expect(isTrustDirectoryError(error, 'TrustDirectoryError')).toBe(true);
        expect(isTrustDirectoryError(error, 'ApiError')).toBe(error instanceof errors.ApiError);
      },
    );
  });

  it('goes by the status where the name is that of the base class, as in a bundle', () => {
    const error = new errors.ApiError('None.', { status: 404 });

    expect([error.name, isTrustDirectoryError(error, 'NotFoundError')]).toEqual(['ApiError', true]);
    expect(isTrustDirectoryError(error, 'GoneError')).toBe(false);
  });

  it.each([
    [undefined],
    [null],
    ['NotFoundError'],
    [new Error('x')],
    [{ name: 'NotFoundError', status: 404 }],
  ])('is false for %j', (value) => {
    expect(isTrustDirectoryError(value)).toBe(false);
    expect(isTrustDirectoryError(value, 'NotFoundError')).toBe(false);
  });
});
