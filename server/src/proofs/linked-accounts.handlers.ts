import type { FastifyRequest } from 'fastify';
import { lockRecentSignIn } from '../callers/recent-sign-in.ts';
import type { Connection, Database } from '../database/connect.ts';
import type { RouteHandlers } from '../generated/fastify.gen.ts';
import type { LinkAccountRequest } from '../generated/types.gen.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { requirePrincipal } from '../http/request-context.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { linkAccount } from './link-account.ts';
import { presentLinkedAccount } from './linked-accounts.presenter.ts';
import { readLinks } from './read-links.ts';
import { removeLinkedAccount } from './remove-linked-account.ts';
import { verifyLinkedAccount } from './verify-linked-account.ts';

export interface LinkedAccountHandlerParts {
  database: Database;
  backend: ScoringBackend;
  hosts: Hosts;
}

type LinkedAccountHandlers = Pick<
  RouteHandlers,
  'listLinkedAccounts' | 'linkAccount' | 'verifyLinkedAccount' | 'removeLinkedAccount'
>;

/** Accounts elsewhere and their proofs, for the console: translates requests and answers, decides nothing. */
export function createLinkedAccountHandlers({
  database,
  backend,
  hosts,
}: LinkedAccountHandlerParts): LinkedAccountHandlers {
  return {
    async listLinkedAccounts(request, reply) {
      const { accountId } = requirePrincipal(request as FastifyRequest);
      const links = await readLinks(database, accountId);
      return reply.code(200).send({ data: links.map(presentLinkedAccount) });
    },
    async linkAccount(request, reply) {
      const { kind, host, handle } = request.body as LinkAccountRequest;
      const link = await linkAccount(database, hosts, {
        kind,
        host,
        handle,
        ...callerOf(request as FastifyRequest),
      });
      return reply.code(201).send(presentLinkedAccount(link));
    },
    async verifyLinkedAccount(request, reply) {
      const linkId = request.params.id;
      const caller = callerOf(request as FastifyRequest);
      const link = await verifyLinkedAccount(database, { linkId, backend, hosts, ...caller });
      return reply.code(200).send(presentLinkedAccount(link));
    },
    async removeLinkedAccount(request, reply) {
      const linkId = request.params.id;
      await removeLinkedAccount(database, { linkId, backend, ...callerOf(request as FastifyRequest) });
      return reply.code(204).send();
    },
  };
}

function callerOf(request: FastifyRequest) {
  const principal = requirePrincipal(request);
  return {
    accountId: principal.accountId,
    lockRecentSignIn: (connection: Connection) => lockRecentSignIn(connection, principal),
  };
}
