import { type Agent, type AgentPage, type Lineage, TrustDirectory } from '@trust-directory/sdk';

export async function run(baseUrl: string): Promise<unknown> {
  const client = new TrustDirectory({ baseUrl });
  const page: AgentPage = await client.agents.list({ q: 'release notes', sort: 'score_desc', limit: 1 });

  const names: string[] = [];
  for await (const agent of client.agents.list({ q: 'release notes', limit: 1 })) names.push(agent.name);

  const agent: Agent = await client.agents.get('AGT-7K2MQ9XD');
  const lineage: Lineage = await client.agents.lineage(agent.id);
  const creator = await client.identities.get(agent.creator.handle);
  const trust: number | null = agent.trustScore;
  return [page.total, names.length, trust, lineage.root.id, creator.handle];
}

export const expected = [2, 2, 60.8, 'AGT-7K2MQ9XD', 'example-labs'];
