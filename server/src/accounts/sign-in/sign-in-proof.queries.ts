import type { AccountKind } from '../../platform/config/known-hosts.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { ALL, equalsIgnoringCase, NOT_NULL, NOW, sql } from '../../platform/database/models/table.ts';

/**
 * Finds a customer account's proof that it owns an external account, by the host's id of the external account; null if
 * there is none. `isFresh`: the proof was checked within the last day.
 */
export function findSignInProof(
  { models, transaction }: Connection,
  proof: { accountId: string; kind: AccountKind; host: string; hostAccountId: string },
): Promise<{ id: string; handle: string; isFresh: boolean } | null> {
  const isFresh = sql("coalesce(checked_at > ledger_now() - interval '1 day', false)");
  return models.LinkedAccount.findOne<{ id: string; handle: string; isFresh: boolean }>({
    attributes: ['id', 'handle', [isFresh, 'isFresh']],
    where: { ...proof, provedAt: NOT_NULL, removedAt: null },
    raw: true,
    transaction,
  });
}

/**
 * Stores the proof of an external account that an identity provider has confirmed. Deletes an unfinished proof that the
 * same customer began for that external account. The new proof counts after its first successful check.
 */
export async function saveProviderLink(
  { models, transaction }: Connection,
  { handle, ...link }: { id: string; accountId: string; kind: AccountKind; host: string; handle: string },
): Promise<void> {
  const { accountId, kind, host } = link;
  await models.LinkedAccount.destroy({
    where: { [ALL]: [{ accountId, kind, host, provedAt: null }, equalsIgnoringCase('handle', handle)] },
    transaction,
  });
  const proof = { provedAt: NOW, provedBy: 'identity_provider', checkDueAt: NOW } as const;
  await models.LinkedAccount.create({ ...link, handle, ...proof }, { transaction, returning: false });
}
