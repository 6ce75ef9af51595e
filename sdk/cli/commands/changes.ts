import { type Change, type ChangePage, type ChangeQuery, changesOf } from '../../src/index.ts';
import { CHANGE_KINDS, SUBJECT_TYPES } from '../allowed-values.ts';
import { collectPages, LIST_OPTIONS } from '../collect-pages.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { timeText } from '../format-score.ts';
import { textOption } from '../read-command-line.ts';
import { flow, type Page, paragraph } from '../text/layout.ts';

/** Shows what changed in the directory. Free, without a key. */
export const changes: Command = {
  name: 'changes',
  argument: '',
  argumentCount: [0, 0],
  summary: 'Show what changed in the directory, oldest first. Free.',
  details: [
    'Continue later with --cursor and the cursor of the last output. If it is too old, the error names where to start again.',
    'For a copy of the directory, start with --snapshot: it lists the present state of everything before what changes from then on.',
  ],
  options: {
    since: { value: 'TIME', description: 'start at this time, such as 2026-11-20T00:00:00Z' },
    snapshot: { description: 'start with the present state of everything' },
    kinds: { value: 'KINDS', words: CHANGE_KINDS, description: 'only these kinds, separated by commas' },
    type: { value: 'TYPE', words: SUBJECT_TYPES, description: 'only subjects of this type' },
    ...LIST_OPTIONS,
    cursor: { value: 'CURSOR', description: 'continue after another list: its cursor' },
  },
  examples: [
    [
      'trust-directory changes --since 2026-11-20T00:00:00Z --kinds verdict,advisory,removal',
      'What to look at',
    ],
    ["trust-directory changes --limit 1000 --json | jq -r '.data[].agent_id'", 'For a script'],
    [
      'trust-directory changes --cursor "$(jq -r .cursor last.json)" --json',
      'Continue where the last list ended',
    ],
  ],
  async run({ options, output, signal, client }) {
    const feed = changesOf(await client());
    const query = {
      since: textOption(options, 'since'),
      snapshot: options.snapshot === true ? true : undefined,
      kinds: textOption(options, 'kinds'),
      type: textOption(options, 'type'),
    } as ChangeQuery;
    let cursor = '';
    const found = await collectPages(async (asked) => {
      const page = await feed.list({ ...query, ...asked }, { signal });
      cursor = page.cursor;
      return page;
    }, options);
    output.result({ ...found, cursor }, pageLines);
    return EXIT.ok;
  },
};

function pageLines({ data, cursor, nextCursor }: ChangePage, page: Page): string[] {
  const more = nextCursor ? ' There are more: --limit.' : '';
  return [
    ...data.flatMap((change) =>
      flow([[timeText(change.at)], [change.kinds.join(', '), 'cyan'], [nameOf(change)]], page),
    ),
    ...paragraph(`${data.length} shown.${more} Continue with --cursor ${cursor}`, page, 'dim'),
  ];
}

function nameOf({
  agent,
  subject,
  advisory,
  standing,
  agent_id: id,
  canonical_id: subjectId,
  removed,
}: Change): string {
  const gone = removed ? ' (removed)' : '';
  if (agent) return `${agent.id} ${agent.name}`;
  if (subject) return `${subject.type} ${subject.name}`;
  if (advisory) return `${advisory.id} ${advisory.packages.join(', ')}${gone}`;
  if (standing) return `${standing.type}s in ${standing.category}${gone}`;
  return `${id ?? subjectId}${gone}`;
}
