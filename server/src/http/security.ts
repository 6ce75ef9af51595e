import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../database/connect.ts';
import { authenticate } from '../keys/authenticate.ts';
import type { Scope } from '../keys/principal.ts';
import { requireKeyHash } from './credential.ts';

/**
 * One handler per security scheme of the contract. A scope that the contract names is checked here; where it depends on
 * the body (the metered route) the look-up of the call itself checks the key, in the statement that does the work.
 */
export function createSecurityHandlers(database: Database) {
  return {
    async accessKey(request: FastifyRequest, _reply: FastifyReply, scopes: string[]): Promise<void> {
      request.keyHash = requireKeyHash(request);
      const [scope] = scopes;
      if (!scope) return;
      request.principal = await authenticate(database, request.keyHash, scope as Scope);
      request.keyId = request.principal.keyId;
    },
  };
}
