import { creatorsOfAccounts } from '../../catalog/creators/verified.ts';
import { accountKey, creatorKey, listingKey } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys, readLocked } from '../../catalog/registry-locks.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { scoreInline } from '../../scoring/batches/score-subjects.ts';
import { trustEquityFlow } from '../../scoring/embedded/lineage-equity.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { loadAgentRecords } from '../agents/agent-record.queries.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { type ChildClaim, findClaim, findClaims, saveAcknowledgement } from './child-claims.queries.ts';

/** A claim on one of the account's listings, with the child's record. */
export interface ShownClaim extends ChildClaim {
  record: AgentRecord;
  /** Trust that the child inherits now, 0 to 100. */
  trustEquityFlow: number;
}

export interface Acknowledgement {
  accountId: string;
  childAgentId: string;
  acknowledged: boolean;
  backend: ScoringBackend;
  /** Locks and checks the caller's session for this transaction. Throws 401 if it has ended. */
  lockCredential(connection: Connection): Promise<void>;
}

/**
 * Acknowledges a child on behalf of the parent's verified owner, or withdraws the acknowledgement. An acknowledged
 * child inherits the full flow of trust, any other child half of it. The child is scored again after a change.
 * Idempotent. Throws not_found if the child's parent is not the account's, and forbidden if the account has not proved
 * that it owns the parent's repository.
 */
export async function acknowledgeChild(database: Database, ask: Acknowledgement): Promise<ShownClaim> {
  const { accountId, childAgentId, acknowledged, backend } = ask;
  const due = await inRegistryTransaction(database, async (connection) => {
    await ask.lockCredential(connection);
    const claim = await lockClaim(connection, accountId, childAgentId);
    if (!claim.parentVerified) {
      throw new DomainError(
        'forbidden',
        `Only the verified owner of ${claim.parentRepository} can acknowledge this child. Prove the account that owns the repository first, in the console under linked accounts.`,
      );
    }
    if ((claim.acknowledgedAt !== null) === acknowledged) return [];
    await saveAcknowledgement(connection, claim.childId, acknowledged);
    await enqueueScoring(connection, [claim.childId]);
    return [claim.childId];
  });
  await scoreInline(database, backend, due);
  const [shown] = await show(database, [await requireClaim(database, accountId, childAgentId)]);
  if (!shown) throw new Error('a listing that was just read is gone');
  return shown;
}

/**
 * Reads a claim, and locks the child and the account's creators, so that neither the child's parent nor the parent's
 * creator changes until the transaction ends.
 */
async function lockClaim(
  connection: Connection,
  accountId: string,
  childAgentId: string,
): Promise<ChildClaim> {
  await lockKeys(connection, [accountKey(accountId)]);
  await readLocked(
    connection,
    () => creatorsOfAccounts(connection, [accountId]),
    (creatorIds) => creatorIds.map(creatorKey),
  );
  return readLocked(
    connection,
    () => requireClaim(connection, accountId, childAgentId),
    ({ childId }) => [listingKey(childId)],
  );
}

async function requireClaim(connection: Connection, accountId: string, childAgentId: string) {
  const claim = await findClaim(connection, accountId, childAgentId);
  if (claim) return claim;
  throw new DomainError(
    'not_found',
    `${childAgentId} does not name an agent or skill of yours as its parent.`,
  );
}

export interface ClaimPage {
  claims: ShownClaim[];
  nextCursor: string | null;
}

const CURSOR = /^AGT-[0-9A-HJKMNP-TV-Z]{8}$/;

/**
 * Lists the claims on an account's listings in the order of the child's id: acknowledged ones, others, or both (null).
 * Throws invalid_request for a cursor that does not contain an `AGT-` id.
 */
export async function listChildClaims(
  connection: Connection,
  accountId: string,
  input: { acknowledged: boolean | null; limit: number; cursor: string | null },
): Promise<ClaimPage> {
  const { acknowledged, limit, cursor } = input;
  const after = cursor === null ? '' : Buffer.from(cursor, 'base64url').toString();
  if (cursor !== null && !CURSOR.test(after)) {
    throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
  }
  const found = await findClaims(connection, accountId, { acknowledged, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    claims: await show(connection, page),
    nextCursor: last ? Buffer.from(last.childAgentId).toString('base64url') : null,
  };
}

async function show(connection: Connection, claims: readonly ChildClaim[]): Promise<ShownClaim[]> {
  const ids = claims.map(({ childId }) => childId);
  const records = new Map(
    (await loadAgentRecords(connection, ids)).map((record) => [record.subjectId, record]),
  );
  return claims.flatMap((claim) => {
    const record = records.get(claim.childId);
    const { ownTrust, ownConfidence, acknowledgedAt } = claim;
    const score = ownTrust === null || ownConfidence === null ? null : { ownTrust, ownConfidence };
    return record
      ? [
          {
            ...claim,
            record,
            trustEquityFlow: trustEquityFlow(score, acknowledgedAt !== null && claim.parentVerified),
          },
        ]
      : [];
  });
}
