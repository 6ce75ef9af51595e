import { type Agent, type Lineage, TrustDirectory } from '@trust-directory/sdk';
import { describe, expect, it } from 'vitest';
import { agent, page } from '../../sdk/test/samples.ts';
import { standIn } from '../../sdk/test/stand-in.ts';
import { drawTree, walkLineage } from './walk-lineage.ts';

const entry = (name: string): Agent => ({ ...agent, id: `AGT-${name}`, name });
const node = (name: string, parent: string | null) => ({
  agent: entry(name),
  parentId: parent && `AGT-${parent}`,
  trustEquityFlow: 0,
});
const alone: Lineage = { root: entry('root'), ancestors: [], descendants: [], depth: 0 };
const family: Lineage = {
  root: { ...entry('root'), trustScore: null, confidence: null },
  ancestors: [node('mother', 'grandmother'), node('grandmother', null)],
  descendants: [node('son', 'root'), node('daughter', 'root'), node('grandson', 'son')],
  depth: 4,
};

describe('drawTree', () => {
  it('puts every child under its parent, the oldest ancestor first', () => {
    expect(drawTree(family)).toEqual([
      'grandmother: trust 60.8, confidence 11.3',
      '└─ mother: trust 60.8, confidence 11.3',
      '   └─ * root: not scored yet',
      '      ├─ son: trust 60.8, confidence 11.3',
      '      │  └─ grandson: trust 60.8, confidence 11.3',
      '      └─ daughter: trust 60.8, confidence 11.3',
    ]);
  });

  it('draws an entry without relatives', () => {
    expect(drawTree(alone)).toEqual(['* root: trust 60.8, confidence 11.3']);
  });
});

describe('walk-lineage', () => {
  it('searches for an entry with relatives where no id is named', async () => {
    const data = [entry('alone'), entry('root')];
    const server = await standIn(
      { body: { ...page, data } },
      { body: alone },
      { body: { ...family, truncated: true } },
    );
    const lines: string[] = [];

    await walkLineage(new TrustDirectory({ baseUrl: server.url }), (line) => lines.push(line));

    expect(server.seen.map(({ path }) => path)).toEqual([
      '/api/agents?q=fork&limit=20',
      '/api/agents/AGT-alone/lineage',
      '/api/agents/AGT-root/lineage',
    ]);
    expect(lines.slice(-2)).toEqual([
      '2 ancestors, 3 descendants, depth 4',
      'There are more than are shown.',
    ]);
  });

  it('says so where nothing matches', async () => {
    const server = await standIn({ body: { ...page, data: [] } });
    const lines: string[] = [];

    await walkLineage(new TrustDirectory({ baseUrl: server.url }), (line) => lines.push(line));

    expect(lines).toEqual(['No entry matches "fork".']);
  });
});
