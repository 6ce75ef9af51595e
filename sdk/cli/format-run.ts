import type { Balance, LineageResult, Quote, Run, ScoreResult } from '../src/index.ts';
import { subjectLines } from './commands/lookup.ts';
import { scoreText, timeText } from './format-score.ts';
import { type Field, fieldLines, flow, type Page, paragraph } from './text/layout.ts';

/** Formats the price of a call and the balance that would pay. */
export function priceLines(quote: Quote, page: Page): string[] {
  const { operation, resolved_subject: subject, price_credits: price, charge_source: source } = quote;
  const cost = source === 'free' ? '1 free call' : `${price} credits`;
  return [
    ...paragraph(`${operation} of ${subject.name}`, page, 'bold'),
    ...fieldLines(
      [
        ['type', subject.type],
        ['page', subject.public_path],
        ['price', source === 'free' ? `${cost} (list price ${price} credits)` : cost],
        ['paid from', source],
        ...balanceFields(quote.balance_after),
      ],
      page,
    ),
  ];
}

/** Formats a run: result, charge and receipt. */
export function runLines(run: Run, page: Page): string[] {
  const charge = fieldLines(
    [['paid from', run.charge_source], ...balanceFields(run.balance_after), ['receipt', run.ledger_id]],
    page,
  );
  if (run.result) {
    const { name } = run.resolved_subject;
    return [...paragraph(name, page, 'bold'), ...resultLines(run.result, page), ...charge];
  }
  const note = 'This call was charged before, so nothing was charged now. Its result is not stored.';
  const { recovered } = run.meta;
  return [
    ...paragraph(note, page, 'yellow'),
    ...(recovered
      ? [...paragraph('The current public record:', page), ...subjectLines(recovered, page)]
      : []),
    ...charge,
  ];
}

function resultLines(result: ScoreResult | LineageResult, page: Page): string[] {
  const { scores, score_evidence: evidence, contributions, verification_status: status } = result;
  return [
    ...fieldLines(
      [
        ['trust', scoreText(scores.trustScore)],
        ['confidence', scoreText(scores.confidenceScore)],
        ['evidence', `${evidence.source}${status === 'partial' ? ', partial' : ''}`],
        ['scored', timeText(evidence.score_version)],
      ],
      page,
    ),
    ...contributions.flatMap(({ signal, points, status }) =>
      flow([[signal], [status === 'observed' ? `${points.toFixed(1)} points` : status, 'dim']], page, 2),
    ),
    ...('lineage' in result ? relationshipLines(result, page) : []),
  ];
}

function relationshipLines({ lineage }: LineageResult, page: Page): string[] {
  const { subject, relationships } = lineage;
  const others = relationships.map(({ type, from, to }) =>
    from === subject.id ? [type, to] : [`${type} of it`, from],
  );
  return others.flatMap(([type = '', id = '']) => flow([[type], [id, 'dim']], page, 2));
}

/** Formats a balance; null means that it couldn't be read (not zero). */
function balanceFields(balance: Balance | null): Field[] {
  if (!balance) return [];
  const { included_used: used, included_credits: all, period_end: end } = balance;
  return [['afterwards', `${used} of ${all} used, until ${timeText(end)}`]];
}
