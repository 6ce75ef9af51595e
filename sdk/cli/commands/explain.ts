import { type ScoreExplanation, scoresOf, type TrustDirectory } from '../../src/index.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { scoreFields, timeText } from '../format-score.ts';
import { textOption } from '../read-command-line.ts';
import { fieldLines, flow, type Page, paragraph } from '../text/layout.ts';
import { optional } from './lookup.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Shows the signals of a stored score, with the points of each. Free, without a key. */
export const explain: Command = {
  name: 'explain',
  argument: '<anything>',
  argumentCount: [1, 1],
  summary:
    'Show what a stored score consists of, where each fact was observed, and what would raise it. Free.',
  details: ['The points of all signals, the starting score and the caps add up to trust.'],
  options: {
    at: { value: 'TIME', description: 'explain the score at this time, such as 2026-10-24T00:00:00Z' },
  },
  examples: [
    ['trust-directory explain google-gemini/gemini-cli', 'The current score'],
    ['trust-directory explain owner/repo --at 2026-10-24T00:00:00Z', 'An earlier one'],
    ["trust-directory explain owner/repo --json | jq '.contributions[] | {signal, points}'", 'For a script'],
  ],
  async run({ words: [subject = ''], options, output, signal, client }) {
    const directory = await client();
    const id = await canonicalIdOf(directory, subject, signal);
    const query = { score_version: textOption(options, 'at') };
    output.result(await scoresOf(directory).explain(id, query, { signal }), explanationLines);
    return EXIT.ok;
  },
};

/** Returns the canonical id of a subject. Looks up the subject unless the text is already a canonical id. */
export async function canonicalIdOf(
  { subjects }: TrustDirectory,
  subject: string,
  signal: AbortSignal,
): Promise<string> {
  return UUID.test(subject) ? subject : (await subjects.lookup(subject, {}, { signal })).canonical_id;
}

function explanationLines(found: ScoreExplanation, page: Page): string[] {
  const { subject, trust, confidence, contributions, caps, improvements, most_wanted_fact: wanted } = found;
  const observed = contributions.filter(({ status }) => status === 'observed');
  const unknown = contributions.filter(({ status }) => status === 'missing');
  const fields = scoreFields({
    trustScore: trust?.score ?? null,
    confidence: confidence?.score ?? null,
    tier: trust?.tier ?? 'low',
  });
  return [
    ...paragraph(subject.name, page, 'bold'),
    ...fieldLines(
      [
        ...fields,
        ...optional('method', found.method_version),
        ...optional('scored', found.score_version && timeText(found.score_version)),
        ...(trust?.prior == null ? [] : [['starting score', points(trust.prior)] as const]),
      ],
      page,
    ),
    ...observed.flatMap(({ label, observed: seen, points: part, source, observed_at: at }) => [
      ...flow([[points(part), 'cyan'], [label], [seen ?? '']], page, 2),
      ...paragraph(
        [source ?? '', at === null ? '' : timeText(at)].filter(Boolean).join(', '),
        page,
        'dim',
        9,
      ),
    ]),
    ...caps.flatMap(({ label, raw, final }) =>
      paragraph(`capped from ${raw.toFixed(1)} to ${final.toFixed(1)}: ${label}`, page, 'yellow', 2),
    ),
    ...(unknown.length === 0
      ? []
      : paragraph(`Not known: ${unknown.map(({ label }) => label).join(', ')}.`, page, 'dim')),
    ...improvements.flatMap(({ text, points: gain }) => flow([[points(gain), 'green'], [text]], page, 2)),
    ...(wanted
      ? paragraph(`Would add most confidence: ${wanted.label} (${points(wanted.confidence_points)}).`, page)
      : []),
    ...(found.note ? paragraph(found.note, page, 'yellow') : []),
  ];
}

/** Formats points with their sign, padded to five characters so that columns align. */
function points(value: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(1)}`.padStart(5);
}
