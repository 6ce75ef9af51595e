import type { Agent } from '@trust-directory/sdk';
import type { Example } from './example.ts';
import { scoreText } from './score-text.ts';

/** Searches the directory for the first argument (by default `agent`) and shows the best match in full. */
export const lookupAgent: Example = async (client, print, text = 'agent') => {
  const page = await client.agents.list({ q: text, limit: 5 });
  // If there are many matches, only a part is counted: the total is then a lower bound.
  print(`${page.total}${page.totalIsLowerBound ? '+' : ''} entries match "${text}".`);
  if (page.data.length > 0) print('The most trusted:');
  for (const entry of page.data) {
    print(`  ${entry.id}  ${entry.name} (${entry.type}): ${scoreText(entry.trustScore, entry.confidence)}`);
  }

  const [best] = page.data;
  if (!best) return;
  print('');
  for (const line of detailLines(await client.agents.get(best.id))) print(line);
};

function detailLines(agent: Agent): string[] {
  const { creator, repoHost } = agent;
  const stars = repoHost?.stars === undefined ? 'unknown' : String(repoHost.stars);
  return [
    `${agent.name} (${agent.id})`,
    agent.description,
    `  score       ${scoreText(agent.trustScore, agent.confidence)}, tier ${agent.tier}`,
    `  creator     ${creator.displayName} (${creator.verified ? 'verified' : 'not verified'})`,
    `  repository  ${agent.repositoryUrl}, stars ${stars}`,
    `  listed      ${agent.listedAt}`,
  ];
}
