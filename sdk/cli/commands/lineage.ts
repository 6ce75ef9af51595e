import type { Lineage, TrustDirectory } from '../../src/index.ts';
import type { Command } from '../command.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { STYLE_OF_TIER } from '../format-score.ts';
import { type TreeLine, treeLines } from '../lineage-tree.ts';
import { type Page, paragraph } from '../text/layout.ts';
import { widthOf, wrap } from '../text/width.ts';

/** Draws ancestors and descendants of an entry as a tree. Free, without a key. */
export const lineage: Command = {
  name: 'lineage',
  argument: '<anything>',
  argumentCount: [1, 1],
  summary: 'Show ancestors and descendants of an agent or skill as a tree. Free.',
  details: [
    'Each link is a claim, neither an endorsement by the parent nor a permission. The requested entry is marked with *.',
  ],
  options: {},
  examples: [
    ['trust-directory lineage AGT-7K2MQ9XD', 'By directory id'],
    ['trust-directory lineage google-gemini/gemini-cli', 'By anything else that leads to it'],
    ["trust-directory lineage owner/repo --json | jq -r '.ancestors[].agent.id'", 'For a script'],
  ],
  async run({ words: [subject = ''], output, signal, client }) {
    const directory = await client();
    const id = /^AGT-[0-9A-Z]{8}$/.test(subject) ? subject : await idOf(directory, subject, signal);
    output.result(await directory.agents.lineage(id, { signal }), lineageLines);
    return EXIT.ok;
  },
};

async function idOf({ subjects }: TrustDirectory, subject: string, signal: AbortSignal): Promise<string> {
  const { agent_id: id, type, name } = await subjects.lookup(subject, {}, { signal });
  if (id) return id;
  throw new CommandError(
    EXIT.notFound,
    `${name} (${type}) has no entry in the directory, so it has no lineage.`,
  );
}

function lineageLines(found: Lineage, page: Page): string[] {
  const { ancestors, descendants, truncated } = found;
  const summary = `${counted(ancestors.length, 'ancestor')}, ${counted(descendants.length, 'descendant')}`;
  return [
    ...treeLines(found).flatMap((line) => entryLines(line, page)),
    ...paragraph(`${summary}${truncated ? '; more exist than are shown' : ''}.`, page, 'dim'),
  ];
}

/** Formats one entry. The branches of a deep tree take at most half of the line. */
function entryLines({ branches, agent, isRoot }: TreeLine, { columns, paint }: Page): string[] {
  const room = Number.isFinite(columns) ? Math.floor(columns / 2) : Number.POSITIVE_INFINITY;
  const lead = widthOf(branches) > room ? `…${branches.slice(-Math.max(room - 1, 3))}` : branches;
  const score = agent.trustScore === null ? 'not scored' : `trust ${agent.trustScore.toFixed(1)}`;
  const text = `${isRoot ? '* ' : ''}${agent.name} ${agent.id} ${score}`;
  const lines = wrap(text, columns - widthOf(lead));
  const style = isRoot ? 'bold' : (STYLE_OF_TIER.get(agent.trustScore === null ? '' : agent.tier) ?? null);
  const under = lead.replaceAll('├─ ', '│  ').replaceAll('└─ ', '   ');
  return lines.map((line, index) => paint('dim', index === 0 ? lead : under) + paint(style, line));
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
