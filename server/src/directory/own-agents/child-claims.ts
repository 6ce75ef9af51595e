import type { Connection, Database } from '../../database/connect.ts';
import { retryConflicts } from '../../database/retry-conflicts.ts';
import { inTransaction } from '../../database/transaction.ts';
import { DomainError } from '../../domain-error.ts';
import { lockLineage } from '../../registry/relations/lineage-edges.ts';
import { trustEquityFlow } from '../../scoring/embedded/lineage-equity.ts';
import { noteScoreDue } from '../../scoring/note-score-due.ts';
import { scoreNow } from '../../scoring/score-now.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { loadAgentRecords } from '../agent-record.repository.ts';
import type { AgentRecord } from '../agent-record.ts';
import { type ChildClaim, findClaim, findClaims, saveAcknowledgement } from './child-claims.repository.ts';

/** A claim on one's own listing with the child as the directory shows it. */
export interface ShownClaim extends ChildClaim {
  record: AgentRecord;
  /** 0 to 100: what the child inherits as things stand. */
  trustEquityFlow: number;
}

export interface Acknowledgement {
  accountId: string;
  childAgentId: string;
  acknowledged: boolean;
  backend: ScoringBackend;
  /** Reads the caller's session again, for the length of the transaction; throws 401 where it lives no more. */
  lockCredential(connection: Connection): Promise<void>;
}

/**
 * Lets the parent's proved owner acknowledge a child, or withdraw that: the child then inherits all of what flows from
 * the parent, or half of it, and is scored again. Throws not_found where the child names no listing of the account's,
 * forbidden where the account has not proved the owner of the parent's repository. Doing either twice changes nothing.
 */
export async function acknowledgeChild(database: Database, ask: Acknowledgement): Promise<ShownClaim> {
  const { accountId, childAgentId, acknowledged, backend } = ask;
  const due = await retryConflicts(() =>
    inTransaction(database, async (connection) => {
      await ask.lockCredential(connection);
      // A parent is neither chosen anew nor passed on to another creator meanwhile.
      await lockLineage(connection);
      const claim = await requireClaim(connection, accountId, childAgentId);
      if (!claim.parentVerified) {
        throw new DomainError(
          'forbidden',
          `Only the verified owner of ${claim.parentRepository} can acknowledge this child. Prove the account that owns the repository first, in the console under linked accounts.`,
        );
      }
      if ((claim.acknowledgedAt !== null) === acknowledged) return [];
      await saveAcknowledgement(connection, claim.childId, acknowledged);
      await noteScoreDue(connection, [claim.childId]);
      return [claim.childId];
    }),
  );
  await scoreNow(database, backend, due);
  const [shown] = await show(database, [await requireClaim(database, accountId, childAgentId)]);
  if (!shown) throw new Error('a listing that was just read is gone');
  return shown;
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

/** Others' listings that name one of the account's as their parent, by id. Throws invalid_request for a foreign cursor. */
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
