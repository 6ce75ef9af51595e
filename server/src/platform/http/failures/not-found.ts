import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../errors/domain-error.ts';
import type { KnownRoutes } from '../known-routes.ts';
import { pathOf } from '../redirect-paths.ts';

/** Creates the failure for a request without a route: 405 if the path allows other methods, otherwise 404. */
export function noRouteError(
  method: string,
  url: string,
  allowedMethods: KnownRoutes['allowedMethods'],
): DomainError {
  const allow = allowedMethods(pathOf(url));
  if (allow.length > 0 && !allow.includes(method)) {
    return new DomainError(
      'method_not_allowed',
      `This path does not allow ${method}. Allowed: ${allow.join(', ')}.`,
      { allow },
    );
  }
  return new DomainError(
    'not_found',
    'There is nothing at this address. The API is described at /openapi.yaml.',
  );
}

/** Returns true if a failure means that no route matched. A route's own failure does not. */
export function isNoRouteError(thrown: unknown, { is404 }: Pick<FastifyRequest, 'is404'>): boolean {
  if (!(thrown instanceof DomainError)) return false;
  return thrown.code === 'method_not_allowed' || (is404 && thrown.code === 'not_found');
}
