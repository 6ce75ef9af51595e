import { lockRecentSignIn } from '../callers/recent-sign-in.ts';
import type { Connection, Database } from '../database/connect.ts';
import type { Hosts } from '../hosts/hosts.ts';
import type { HandlersOf, RequestOf } from '../http/contract/handlers-of.ts';
import { requirePrincipal } from '../http/request-context.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { presentClaim } from './claim.presenter.ts';
import { findClaimsOf } from './claims.repository.ts';
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

type Change = 'linkAccount' | 'verifyLinkedAccount' | 'removeLinkedAccount';

/** Accounts elsewhere and their proofs, for the console: translates requests and answers, decides nothing. */
export function createLinkedAccountHandlers({
  database,
  backend,
  hosts,
}: LinkedAccountHandlerParts): HandlersOf<'listLinkedAccounts' | Change> {
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
