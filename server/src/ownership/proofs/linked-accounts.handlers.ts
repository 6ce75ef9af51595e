import { lockRecentSignIn } from '../../access/callers/session.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import type { HandlersOf, RequestOf } from '../../platform/http/contract/handlers-of.ts';
import { requirePrincipal } from '../../platform/http/request-context.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { findClaimsOf } from '../handles/listing-claims.queries.ts';
import { linkAccount, readLinks, removeLinkedAccount } from './link-account.ts';
import { presentClaim, presentLinkedAccount } from './linked-accounts.presenter.ts';
import { verifyLinkedAccount } from './verify-linked-account.ts';

export interface LinkedAccountHandlerDependencies {
  database: Database;
  backend: ScoringBackend;
  hosts: Hosts;
}

type Change = 'linkAccount' | 'verifyLinkedAccount' | 'removeLinkedAccount';

/** Handles the console's requests on linked accounts and their proofs. */
export function createLinkedAccountHandlers({
  database,
  backend,
  hosts,
}: LinkedAccountHandlerDependencies): HandlersOf<'listLinkedAccounts' | Change> {
  return {
    async listLinkedAccounts(request) {
      const { accountId } = requirePrincipal(request);
      const links = await readLinks(database, accountId);
      const claims = await findClaimsOf(database, accountId);
      const body = {
        data: links.map(presentLinkedAccount),
        claims: claims.map((claim) => presentClaim(claim, accountId)),
      };
      return { status: 200, body };
    },
    async linkAccount(request) {
      const { kind, host, handle } = request.body;
      const link = await linkAccount(database, hosts, {
        kind,
        host,
        handle,
        ...callerOf(request),
      });
      return { status: 201, body: presentLinkedAccount(link) };
    },
    async verifyLinkedAccount(request) {
      const linkId = request.params.id;
      const caller = callerOf(request);
      const link = await verifyLinkedAccount(database, { linkId, backend, hosts, ...caller });
      return { status: 200, body: presentLinkedAccount(link) };
    },
    async removeLinkedAccount(request) {
      const linkId = request.params.id;
      await removeLinkedAccount(database, { linkId, backend, ...callerOf(request) });
      return { status: 204 };
    },
  };
}

function callerOf(request: RequestOf<Change>) {
  const principal = requirePrincipal(request);
  return {
    accountId: principal.accountId,
    lockRecentSignIn: (connection: Connection) => lockRecentSignIn(connection, principal),
  };
}
