import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction, retryConflicts } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { scoreSubjects } from '../../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { loadAgentRecords } from '../agents/agent-record.queries.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { claimRefresh, findOwnSubject, PAUSE_SECONDS } from './refresh-score.queries.ts';

export interface RefreshOrder {
  accountId: string;
  /** `AGT-` id of one of the account's listings. */
  agentId: string;
  backend: ScoringBackend;
  /** Locks and checks the caller's session for this transaction. Throws 401 if it has ended. */
  lockCredential(connection: Connection): Promise<void>;
}

export interface RefreshedScore {
  /** Record after the refresh. */
  record: AgentRecord;
  /**
   * `scored`: a new score; `fresh`: the score is younger than a minute; `incomplete`: not enough facts, so the score is
   * unchanged.
   */
  outcome: 'scored' | 'fresh' | 'incomplete';
}

/** Timeout of the scoring backend. */
const TIMEOUT_MS = 20_000;

/**
 * Scores one of the account's listings again, without a run and without charge. Calls the backend outside any
 * transaction and at most once a minute per listing. Throws not_found for any other listing. Throws rate_limited if the
 * last request is younger than a minute and gave no newer score. Throws unavailable if the backend fails; the score
 * then stays.
 */
export async function refreshScore(database: Database, order: RefreshOrder): Promise<RefreshedScore> {
  const { accountId, agentId, backend } = order;
  const { subjectId, isFresh } = await retryConflicts(() =>
    inTransaction(database, async (connection) => {
      await order.lockCredential(connection);
      const ownId = await findOwnSubject(connection, accountId, agentId);
      if (ownId === null) throw notOwn(agentId);
      const claim = await claimRefresh(connection, ownId);
      if (!claim.isClaimed && !claim.isFresh) throw tooSoon(agentId, claim.waitSeconds);
      return { subjectId: ownId, isFresh: claim.isFresh };
    }),
  );
  const outcome = isFresh ? 'fresh' : await scoreAgain(database, backend, subjectId, agentId);
  const [record] = await loadAgentRecords(database, [subjectId]);
  if (!record) throw notOwn(agentId);
  return { record, outcome };
}

async function scoreAgain(
  database: Database,
  backend: ScoringBackend,
  subjectId: string,
  agentId: string,
): Promise<'scored' | 'incomplete'> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { scored, incomplete } = await scoreSubjects(database, backend, [subjectId], { signal });
  if (scored > 0) return 'scored';
  if (incomplete > 0) return 'incomplete';
  throw new DomainError(
    'unavailable',
    `${agentId} cannot be scored at present. Its score is unchanged. Try again in a minute.`,
    { retryAfterSeconds: PAUSE_SECONDS },
  );
}

function notOwn(agentId: string): DomainError {
  return new DomainError('not_found', `You have no agent or skill with the id ${agentId}.`);
}

function tooSoon(agentId: string, seconds: number): DomainError {
  return new DomainError(
    'rate_limited',
    `${agentId} was to be scored less than a minute ago, and has no newer score yet. Try again in ${seconds} seconds.`,
    { retryAfterSeconds: seconds },
  );
}
