import { getAgent } from '../../directory/get-agent.ts';
import type { ListedAgent } from '../../directory/link-agents.ts';
import { linkAgents } from '../../directory/link-agents.ts';
import { DomainError } from '../../domain-error.ts';
import { findAccountCreator } from '../../registry/creators/ownership.repository.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { AGENT_ID } from './registration-form.ts';

/** The account's own listing with an id that an address names; null where it names none of theirs. */
export async function findOwnListing(
  { database, naming }: Pick<ConsoleParts, 'database' | 'naming'>,
  accountId: string,
  id: string,
): Promise<ListedAgent | null> {
  if (!AGENT_ID.test(id)) return null;
  const record = await getAgent(database, id).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'not_found') return null;
    throw error;
  });
  if (record?.creatorId !== (await findAccountCreator(database, accountId))) return null;
  const [listed = null] = await linkAgents(database, record ? [record] : [], naming);
  return listed;
}
