import { lockCredential } from '../../callers/lock-credential.ts';
import type { Database } from '../../database/connect.ts';
import type { HandlersOf } from '../../http/contract/handlers-of.ts';
import { requirePrincipal } from '../../http/request-context.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { loadPublicHandles } from '../../subjects/load-public-handles.ts';
import type { Naming } from '../../subjects/naming.ts';
import { presentAgent } from '../agent.presenter.ts';
import { loadMarks } from '../load-marks.ts';
import { listOwnAgents } from './own-agents.ts';
import { refreshScore } from './refresh-score.ts';

export interface OwnAgentHandlerParts {
  database: Database;
  backend: ScoringBackend;
  naming: Naming;
}

/** One's own listings and their scores, for the console: translates requests and answers, decides nothing. */
export function createOwnAgentHandlers({
  database,
  backend,
  naming,
}: OwnAgentHandlerParts): HandlersOf<'listOwnAgents' | 'refreshScore'> {
  return {
    async listOwnAgents(request) {
      const { accountId } = requirePrincipal(request);
      const { cursor = null, limit } = request.query;
      const { records, nextCursor } = await listOwnAgents(database, accountId, { cursor, limit });
      const handles = await loadPublicHandles(database, records, naming);
      const marks = await loadMarks(database, records);
      const data = records.map((record) => presentAgent(record, handles, marks));
      return { status: 200, body: { data, nextCursor } };
    },
    async refreshScore(request) {
      const principal = requirePrincipal(request);
      const { record } = await refreshScore(database, {
        accountId: principal.accountId,
        agentId: request.params.id,
        backend,
        lockCredential: (connection) => lockCredential(connection, principal),
      });
      const handles = await loadPublicHandles(database, [record], naming);
      return { status: 200, body: presentAgent(record, handles, await loadMarks(database, [record])) };
    },
  };
}
