import { type ScoreDifference, type ScoreHistory, scoresOf } from '../../src/index.ts';
import { collectPages, LIST_OPTIONS } from '../collect-pages.ts';
import type { Command, Invocation } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { STYLE_OF_TIER, timeText } from '../format-score.ts';
import { textOption } from '../read-command-line.ts';
import { flow, type Page, paragraph } from '../text/layout.ts';
import { canonicalIdOf } from './explain.ts';

/** Lists the stored scores of a subject, or compares two of them. Free, without a key. */
export const history: Command = {
  name: 'history',
  argument: '<anything>',
  argumentCount: [1, 1],
  summary: 'List the past scores of a subject, newest first; or say what changed since a time. Free.',
  options: {
    since: {
      value: 'TIME',
      description: 'compare the score at this time, such as 2026-10-24T00:00:00Z, with the current one',
    },
    until: { value: 'TIME', description: 'with --since: compare it with the score at this time' },
    ...LIST_OPTIONS,
  },
  examples: [
    ['trust-directory history google-gemini/gemini-cli', 'The last scores'],
    ['trust-directory history owner/repo --since 2026-10-24T00:00:00Z', 'What changed since then, and why'],
    ["trust-directory history owner/repo --json | jq '.data[].trustScore'", 'For a script'],
  ],
  run: (invocation) =>
    textOption(invocation.options, 'since') === undefined ? list(invocation) : compare(invocation),
};

async function list({ words: [subject = ''], options, output, signal, client }: Invocation) {
  const directory = await client();
  const id = await canonicalIdOf(directory, subject, signal);
  const found = await collectPages((page) => scoresOf(directory).history(id, page, { signal }), options);
  output.result(found, historyLines);
  return EXIT.ok;
}

async function compare({ words: [subject = ''], options, output, signal, client }: Invocation) {
  const directory = await client();
  const id = await canonicalIdOf(directory, subject, signal);
  const query = { from: textOption(options, 'since'), to: textOption(options, 'until') };
  output.result(await scoresOf(directory).difference(id, query, { signal }), differenceLines);
  return EXIT.ok;
}

function historyLines({ data, nextCursor }: ScoreHistory, page: Page): string[] {
  if (data.length === 0) return paragraph('No confirmed score yet.', page, 'dim');
  const more = nextCursor ? ' There are more: --limit.' : '';
  return [
    ...data.flatMap(({ score_version: at, trustScore, confidence, tier, method_version: method }) => {
      const style = STYLE_OF_TIER.get(tier);
      const trust = `trust ${trustScore.toFixed(1)}`;
      return flow(
        [
          [timeText(at), 'cyan'],
          style ? [trust, style] : [trust],
          [`confidence ${confidence.toFixed(1)}`],
          [tier],
          [method ?? ''],
        ],
        page,
      );
    }),
    ...paragraph(`${data.length} shown.${more}`, page, 'dim'),
  ];
}

function differenceLines({ subject, summary, note, signals }: ScoreDifference, page: Page): string[] {
  const moved = signals.filter(({ points }) => Math.abs(points.change) >= 0.05);
  return [
    ...paragraph(subject.name, page, 'bold'),
    ...paragraph(summary, page),
    ...moved.flatMap(({ label, points, before, after }) =>
      flow(
        [
          [signed(points.change).padStart(6), points.change < 0 ? 'red' : 'green'],
          [label],
          [seenText(before?.observed, after?.observed)],
        ],
        page,
        2,
      ),
    ),
    ...(note && !summary.includes(note) ? paragraph(note, page, 'yellow') : []),
  ];
}

function signed(change: number): string {
  return `${change < 0 ? '-' : '+'}${Math.abs(change).toFixed(1)}`;
}

/** Formats how the observed value of a signal changed; returns an empty text if it did not change. */
function seenText(before: string | null | undefined, after: string | null | undefined): string {
  return before === after ? '' : `${before ?? 'not known'} → ${after ?? 'not known'}`;
}
