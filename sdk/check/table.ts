import type { Style } from '../cli/text/colors.ts';
import { flow, type Page, paragraph } from '../cli/text/layout.ts';
import type { Check, Severity } from './checks.ts';

const STYLES: Readonly<Record<Severity, Style>> = {
  critical: 'red',
  high: 'red',
  medium: 'yellow',
  low: 'yellow',
  unknown: 'yellow',
  none: 'dim',
};

/** Maximum checks with the same verdict and reasons that are listed individually; the rest are only counted. */
const MOST_ALIKE = 10;
/** Maximum locations listed for one item. */
const MOST_PLACES = 3;

/** Formats the checks in the given order, followed by a summary, which alone counts the items that passed. */
export function tableLines(checks: readonly Check[], page: Page): string[] {
  const open = checks.filter(({ verdict }) => verdict !== 'passed');
  const alike = new Map<string, number>();
  const lines: string[] = [];
  const more = new Map<string, number>();
  for (const check of open) {
    const kind = kindOf(check);
    const count = (alike.get(kind) ?? 0) + 1;
    alike.set(kind, count);
    // A check with a severity other than `none` is listed even above the maximum.
    if (count > MOST_ALIKE && check.severity === 'none') more.set(kind, count - MOST_ALIKE);
    else lines.push(...checkLines(check, page));
  }
  for (const [kind, count] of more) lines.push(...paragraph(`and ${count} more: ${kind}`, page, 'dim'));
  return [...lines, ...summaryLines(checks, page)];
}

const kindOf = ({ verdict, failure, reasons }: Check) =>
  `${verdict}. ${failure ?? reasons.map(({ message }) => message).join(' ')}`;

function checkLines(check: Check, page: Page): string[] {
  const { subject, verdict, severity, record, reasons, advisories, unaffected, version, failure, locations } =
    check;
  const name = record && record.name !== subject ? ` (${record.name})` : '';
  const places = locations.slice(0, MOST_PLACES).map(({ file, line }) => `${file}:${line}`);
  const rest = locations.length > MOST_PLACES ? [`and ${locations.length - MOST_PLACES} more places`] : [];
  const inner = (text: string) => paragraph(text, page, null, 2);
  const hasNoPolicy = reasons.some(({ code }) => code === 'no_policy');
  return [
    ...flow(
      [
        [severity === 'none' ? '' : severity.toUpperCase(), STYLES[severity]],
        [subject + name, 'bold'],
        [check.baseline ? `${verdict}, in the baseline` : verdict, verdict === 'refused' ? 'red' : 'yellow'],
        [[...places, ...rest].join(', '), 'dim'],
      ],
      page,
    ),
    ...reasons.flatMap(({ message }) => inner(message)),
    // Without a policy, the scores are shown for the user to judge.
    ...(record && hasNoPolicy ? inner(scoreText(record)) : []),
    ...advisories.flatMap(({ id, severity: of, summary, affected }) =>
      inner(`${id}${of ? ` (${of})` : ''}: ${summary} Affected: ${affected.slice(0, 5).join(', ')}.`),
    ),
    ...(advisories.length === 0
      ? []
      : inner(`Affected: ${version}. Not affected: ${unaffected ?? 'no later version is known'}.`)),
    ...(failure === null ? [] : inner(failure)),
  ];
}

function scoreText({ trustScore, confidence, tier, verdict }: NonNullable<Check['record']>): string {
  if (trustScore === null) return 'There is no confirmed score.';
  const words = verdict ? ` ${verdict.sentence}` : '';
  return `trust ${trustScore}, confidence ${confidence}, tier ${tier}.${words}`;
}

function summaryLines(checks: readonly Check[], page: Page): string[] {
  const count = (verdict: Check['verdict']) => checks.filter((each) => each.verdict === verdict).length;
  const parts = (['passed', 'refused', 'could not tell', 'not checked'] as const).flatMap((verdict) =>
    count(verdict) > 0 ? [`${count(verdict)} ${verdict}`] : [],
  );
  return paragraph(`${checks.length} checked: ${parts.join(', ') || 'nothing found'}.`, page, 'bold');
}
