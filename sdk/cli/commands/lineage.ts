import type { Lineage, TrustDirectory } from '../../src/index.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-code.ts';
import { type TreeLine, treeLines } from '../lineage-tree.ts';
import { STYLE_OF_TIER } from '../show-score.ts';
import { type Page, paragraph } from '../text/layout.ts';
import { widthOf, wrap } from '../text/width.ts';

/** Ancestors and descendants of an entry, drawn. Free, without a key. */
export const lineage: Command = {
  name: 'lineage',
  takes: '<anything>',
  count: [1, 1],
  summary: 'What an agent or skill is based on and what is based on it, drawn as a tree. Free.',
  details: [
    'A line is a claim: it is neither an endorsement by the parent nor a permission. The entry that you asked for is marked with *.',
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
    ...paragraph(`${summary}${truncated ? '; there are more than are shown' : ''}.`, page, 'dim'),
  ];
}

/** Of a deep tree, the branches take no more than half of the line. */
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
