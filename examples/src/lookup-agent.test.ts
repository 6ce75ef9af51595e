import { TrustDirectory } from '@trust-directory/sdk';
import { describe, expect, it } from 'vitest';
import { agent, page } from '../../sdk/test/samples.ts';
import { standIn } from '../../sdk/test/stand-in.ts';
import { lookupAgent } from './lookup-agent.ts';

async function lookUp(url: string, text?: string): Promise<string> {
  const lines: string[] = [];
  const args = text === undefined ? [] : [text];
  await lookupAgent(new TrustDirectory({ baseUrl: url }), (line) => lines.push(line), ...args);
  return lines.join('\n');
}

describe('lookup-agent', () => {
  it('searches, then shows the best match in full', async () => {
    const server = await standIn({ body: page }, { body: agent });

    const output = await lookUp(server.url, 'release notes');

    expect(server.seen.map(({ path }) => path)).toEqual([
      '/api/agents?q=release%20notes&limit=5',
      '/api/agents/AGT-7K2MQ9XD',
    ]);
    expect(output).toContain('1 entries match "release notes"');
    expect(output).toContain('score       trust 60.8, confidence 11.3, tier low');
    expect(output).toContain('stars unknown');
  });

  it('shows a total that is a lower bound as one', async () => {
    const many = { ...page, total: 10_000, totalIsLowerBound: true };
    const server = await standIn({ body: many }, { body: agent });

    expect(await lookUp(server.url)).toContain('10000+ entries match "agent"');
  });

  it('says so where nothing matches', async () => {
    const server = await standIn({ body: { ...page, data: [], total: 0 } });

    expect(await lookUp(server.url)).toContain('0 entries match "agent"');
    expect(server.seen).toHaveLength(1);
  });
});
