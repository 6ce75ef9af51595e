import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import { linkAgents } from '../../directory/lists/link-agents.ts';
import { findOwnAgent } from '../../directory/own-agents/own-agents.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { AGENT_ID } from './registration-form.ts';

/** The account's own listing with an id that an address names; null where it names none of theirs. */
export async function findOwnListing(
  { database, naming }: Pick<ConsoleParts, 'database' | 'naming'>,
  accountId: string,
  id: string,
): Promise<ListedAgent | null> {
  if (!AGENT_ID.test(id)) return null;
  const record = await findOwnAgent(database, accountId, id);
  const [listed = null] = await linkAgents(database, record ? [record] : [], naming);
  return listed;
}
