import type { Connection, Database } from '../../database/connect.ts';
import { retryConflicts } from '../../database/retry-conflicts.ts';
import { inTransaction } from '../../database/transaction.ts';
import { DomainError } from '../../domain-error.ts';
import { scoreSubjects } from '../../scoring/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { loadAgentRecords } from '../agent-record.repository.ts';
import type { AgentRecord } from '../agent-record.ts';
import { claimRefresh, findOwnSubject, PAUSE_SECONDS } from './refresh-score.repository.ts';

export interface RefreshOrder {
  accountId: string;
  /** `AGT-` id of one of the account's listings. */
  agentId: string;
  backend: ScoringBackend;
  /** Reads the caller's session again, for the length of the transaction; throws 401 where it lives no more. */
  lockCredential(connection: Connection): Promise<void>;
}

export interface RefreshedScore {
  /** As it is afterwards. */
  record: AgentRecord;
  /** A new score; the one of less than a minute ago; or what there was, since too little is known for a score. */
  outcome: 'scored' | 'fresh' | 'incomplete';
}

/** As long as an attempt of a metered call: somebody waits. */
const LONGEST_MS = 20_000;

/**
 * Scores one of the account's own listings again, as maintenance: no run, nothing in the ledger. The backend is asked
 * outside of any transaction, at most once a minute, however often it is asked for. Throws not_found for any other listing;
 * rate_limited where it was just asked and gave no newer score; unavailable where it gives none. The score then stays.
 */
export async function refreshScore(database: Database, order: RefreshOrder): Promise<RefreshedScore> {
  const { accountId, agentId, backend } = order;
  const { subjectId, isFresh } = await retryConflicts(() =>
    inTransaction(database, async (connection) => {
      await order.lockCredential(connection);
      const ownId = await findOwnSubject(connection, accountId, agentId);
      if (ownId === null) throw notOwn(agentId);
      const claim = await claimRefresh(connection, ownId);
      if (!claim.isClaimed && !claim.isFresh) throw justAsked(agentId, claim.waitSeconds);
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
  const signal = AbortSignal.timeout(LONGEST_MS);
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

function justAsked(agentId: string, seconds: number): DomainError {
  return new DomainError(
    'rate_limited',
    `${agentId} was to be scored less than a minute ago, and has no newer score yet. Try again in ${seconds} seconds.`,
    { retryAfterSeconds: seconds },
  );
}
