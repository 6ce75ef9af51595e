import type { Round } from './run-rounds.ts';

const SHOWN = 5;

/** Formats rounds as a Markdown table. The last row has the totals and the longest outage; problems follow the table. */
export function tableOf(rounds: readonly Round[]): string {
  const rows = rounds.map((round) => cells(round));
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0);
  const longest = Math.max(0, ...rounds.map(({ outageMs }) => outageMs));
  const together = [
    '**together**',
    sum(({ calls }) => calls),
    sum(({ acknowledged }) => acknowledged),
    sum(({ lost }) => lost),
    sum(({ doubled }) => doubled),
    seconds(longest),
    sum(({ changes }) => changes),
    sum(({ restarts }) => restarts),
    sum(({ unclean }) => unclean.length),
  ];
  const notes = rounds.flatMap(({ fault, wrong, unclean }, i) =>
    [...wrong.slice(0, SHOWN), ...unclean.slice(0, SHOWN)].map((what) => `- ${i + 1} (${fault}): ${what}`),
  );
  return [
    '| fault | calls | acknowledged | lost | doubled | longest outage | changes read | feed restarts | unclean after 5 s |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|',
    ...[...rows, together].map((row) => `| ${row.join(' | ')} |`),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n');
}

function cells({ fault, calls, acknowledged, lost, doubled, outageMs, changes, restarts, unclean }: Round) {
  return [fault, calls, acknowledged, lost, doubled, seconds(outageMs), changes, restarts, unclean.length];
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
