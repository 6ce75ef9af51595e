import type { AccountKind } from '../config/account-kinds.ts';
import type { Connection } from '../database/connect.ts';
import { ALL, NOW, PRESENT, sameName, sql } from '../database/models/expressions.ts';

/** The proof that an account has of one elsewhere, by the host's own id of it, or null; fresh is a check of the last day. */
export function findSignInProof(
  { models, transaction }: Connection,
  proof: { accountId: string; kind: AccountKind; host: string; hostAccountId: string },
): Promise<{ id: string; handle: string; isFresh: boolean } | null> {
  const isFresh = sql("coalesce(checked_at > ledger_now() - interval '1 day', false)");
  return models.LinkedAccount.findOne<{ id: string; handle: string; isFresh: boolean }>({
    attributes: ['id', 'handle', [isFresh, 'isFresh']],
    where: { ...proof, provedAt: PRESENT, removedAt: null },
    raw: true,
    transaction,
  });
}

/**
 * Stores a link that an identity provider vouches for, in place of one to the same account that waits for its code; it
 * counts once a good check is noted.
 */
export async function saveVouchedLink(
  { models, transaction }: Connection,
  { handle, ...link }: { id: string; accountId: string; kind: AccountKind; host: string; handle: string },
): Promise<void> {
  const { accountId, kind, host } = link;
  await models.LinkedAccount.destroy({
    where: { [ALL]: [{ accountId, kind, host, provedAt: null }, sameName('handle', handle)] },
    transaction,
  });
  const proof = { provedAt: NOW, provedBy: 'identity_provider', checkDueAt: NOW } as const;
  await models.LinkedAccount.create({ ...link, handle, ...proof }, { transaction, returning: false });
}
