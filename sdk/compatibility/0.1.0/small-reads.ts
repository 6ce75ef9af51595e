import {
  getAgent,
  getAgentLineage,
  getIdentity,
  getSubject,
  listAgents,
  lookupSubject,
  NotFoundError,
} from '@trust-directory/sdk/directory';

export async function run(baseUrl: string): Promise<unknown> {
  const options = { baseUrl, timeoutMs: 5_000 };
  const { data } = await listAgents({ tier: 'low', limit: 1 }, options);
  const agent = await getAgent('AGT-7K2MQ9XD', options);
  const { depth } = await getAgentLineage(agent.id, options);
  const { displayName } = await getIdentity('example-labs', options);
  const found = await lookupSubject('example-labs/changelog-agent', { type: 'agent' }, options);
  const same = await getSubject(found.canonical_id, options);
  const missing = await lookupSubject('nobody', {}, options).catch((error) => error instanceof NotFoundError);
  return [data.length, depth, displayName, same.tier, missing];
}

export const expected = [1, 0, 'Example Labs', 'medium', true];
