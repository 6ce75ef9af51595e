import type { ComponentChildren } from 'preact';
import { isUndated, type SourceLinks, signalSource } from '../../../directory/explanations/signal-sources.ts';
import { priorPoints } from '../../../scoring/embedded/compute-score.ts';
import { isOwnMethod, METHOD } from '../../../scoring/embedded/current-method.ts';
import { describeObserved, signalLabel, whyMissing } from '../../../scoring/explanations/signal-labels.ts';
import type { Facts } from '../../../scoring/fact-types.ts';
import type { Cap, Contribution } from '../../../scoring/scoring-backend.ts';
import { Age, ForeignText, formatScore, toWords } from '../../components/formatting.tsx';
import { TableHead } from '../../components/layout.tsx';
import { Hatching, Meter, PointsBar } from '../../components/score-figures.tsx';
import type { ScoreDetail } from './score-detail.queries.ts';

const REPOSITORY_SIGNALS: ReadonlySet<string> = new Set([
  'verified_listing',
  'freshness',
  'repository_age',
  'releases',
  'contributors',
  'issue_load',
  'scorecard',
  'security_policy',
  'stars',
  'forks',
  'lists',
  'license',
]);

/** Returns true if an artifact's signal describes the whole repository that contains the artifact. */
function isRepositorySignal({ signal, status }: Contribution, facts: Facts | null): boolean {
  if (status === 'not_applicable' || !REPOSITORY_SIGNALS.has(signal)) return false;
  // Downloads that replace stars belong to the artifact's own package, not to the repository.
  const readsDownloads =
    facts !== null && 'stars' in facts && facts.stars === null && facts.monthlyDownloads !== null;
  return !(signal === 'stars' && readsDownloads);
}

interface WhyProps {
  score: ScoreDetail;
  places: SourceLinks;
  /** Notes on what the score is about, if visitors may expect otherwise: a whole container, for example. */
  notes?: ComponentChildren;
}

/** Shows all contributions, heaviest first, and how they add up to trust. */
export function WhySection({ score, places, notes }: WhyProps) {
  const heaviestFirst = [...score.contributions].sort((a, b) => b.weight - a.weight);
  const points = heaviestFirst.map((each) => (each.status === 'observed' ? each.points : 0));
  // The starting score is known only for the methods of this directory.
  const prior = isOwnMethod(score.methodVersion) ? priorPoints(heaviestFirst) : null;
  const { rounded, sum } = roundToSum(prior === null ? points : [...points, prior], 1);
  const perEvidence =
    100 / (METHOD.prior.strength + heaviestFirst.reduce((sum, each) => sum + each.evidence, 0));
  const possible = heaviestFirst.map((each) => possiblePoints(each, perEvidence));
  const scale = Math.max(...possible);
  const addsUp = score.caps.length === 0 && formatScore(sum) === formatScore(score.trust);
  return (
    <section class="card" aria-labelledby="why">
      <h2 id="why">Why</h2>
      {notes}
      {places.partOf !== null && <RepositoryNote places={places} score={score} />}
      <Hatching />
      <table class="why">
        <TableHead
          of={[
            'Signal',
            'Found',
            ['Points of possible', 'wide-only'],
            ['Weight', 'n wide-only'],
            ['Points', 'n'],
          ]}
        />
        <tbody>
          {heaviestFirst.map((contribution, place) => (
            <SignalRow
              key={contribution.signal}
              contribution={contribution}
              points={rounded[place] ?? 0}
              possible={possible[place] ?? 0}
              scale={scale}
              score={score}
              places={places}
            />
          ))}
        </tbody>
        <tfoot>
          {prior !== null && <SumRow name="Starting score (no evidence yet)" points={rounded.at(-1) ?? 0} />}
          {!addsUp && <SumRow name="Sum" points={sum} />}
          {score.caps.map((cap) => (
            <CapRow key={cap.cap} cap={cap} />
          ))}
          <tr class="sum">
            <th scope="row" colSpan={2}>
              Trust
            </th>
            <td class="wide-only" colSpan={2} />
            <td class="n">{formatScore(score.trust)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** Explains that an artifact's signals marked "repository" are facts of the whole repository. */
function RepositoryNote({ places: { partOf }, score }: WhyProps) {
  if (partOf === null || !score.contributions.some((each) => isRepositorySignal(each, score.facts)))
    return null;
  return (
    <p class="small">
      <span class="chip tag">repository</span> marks facts of{' '}
      <a href={partOf.path}>
        <ForeignText>{partOf.text}</ForeignText>
      </a>{' '}
      as a whole, the repository that holds this.
    </p>
  );
}

function SumRow({ name, points }: { name: string; points: number }) {
  return (
    <tr>
      <th scope="row" colSpan={2}>
        {name}
      </th>
      <td class="wide-only" colSpan={2} />
      <td class="n">{formatScore(points)}</td>
    </tr>
  );
}

function CapRow({ cap: { cap, limit, raw, final } }: { cap: Cap }) {
  return (
    <tr>
      <th scope="row" colSpan={2}>
        Capped at {formatScore(limit)}: {signalLabel(cap) ?? <ForeignText>{toWords(cap)}</ForeignText>}
      </th>
      <td class="wide-only" colSpan={2} />
      <td class="n">
        {formatScore(raw)} → {formatScore(final)}
      </td>
    </tr>
  );
}

/**
 * Rounds amounts so that they add up to their rounded sum (largest remainder method). No amount changes by more than
 * one unit of the last decimal.
 */
export function roundToSum(amounts: readonly number[], decimals: number): { rounded: number[]; sum: number } {
  const scale = 10 ** decimals;
  const exact = amounts.map((amount) => amount * scale);
  const steps = exact.map((amount) => Math.floor(amount));
  const total = Math.round(exact.reduce((sum, amount) => sum + amount, 0));
  let missing = total - steps.reduce((sum, step) => sum + step, 0);
  const byRest = exact
    .map((amount, place) => ({ place, rest: amount - Math.floor(amount) }))
    .sort((a, b) => b.rest - a.rest);
  for (const { place } of byRest) {
    if (missing <= 0) break;
    steps[place] = (steps[place] ?? 0) + 1;
    missing -= 1;
  }
  return { rounded: steps.map((step) => step / scale), sum: total / scale };
}

/**
 * Returns the points that an observed signal would have at its best value. If the value is 0, computes them from the
 * signal's evidence.
 */
function possiblePoints({ value, points, evidence }: Contribution, perEvidence: number): number {
  return value !== null && value > 0 ? points / value : evidence * perEvidence;
}

interface SignalRowProps {
  contribution: Contribution;
  points: number;
  /** Points of the signal at its best value. */
  possible: number;
  /** Points at the full width of a bar: the maximum of `possible` over all signals. */
  scale: number;
  score: ScoreDetail;
  places: SourceLinks;
}

/** Shows one signal: observed value, source, age and points. */
function SignalRow({ contribution, points, possible, scale, score, places }: SignalRowProps) {
  const { signal, status, value, weight, reason } = contribution;
  const isSeen = status === 'observed' && value !== null;
  const name = signalLabel(signal);
  return (
    <tr class={isSeen ? undefined : 'muted'}>
      <th scope="row">
        {name ?? <ForeignText>{toWords(signal)}</ForeignText>}{' '}
        {places.partOf !== null && isRepositorySignal(contribution, score.facts) && (
          <span class="chip tag">repository</span>
        )}
        <span class="note small-only">weight {weight}</span>
        <Source contribution={contribution} places={places} readAt={score.readAt} />
      </th>
      <td>
        <ForeignText>{observedOf(contribution, score, places)}</ForeignText>
        {/* For a signal with a label, observedOf already returns the reason, unless the signal is not applicable. */}
        {reason !== null && !isSeen && (name === null || status === 'not_applicable') && (
          <span class="note">
            <ForeignText>{reason}</ForeignText>
          </span>
        )}
      </td>
      <td class="wide-only">
        {status === 'not_applicable' && <span class="note">not counted</span>}
        {status !== 'not_applicable' &&
          (isSeen ? <PointsBar points={points} possible={possible} scale={scale} /> : <Meter value={null} />)}
      </td>
      <td class="n wide-only">{weight}</td>
      <td class="n">{isSeen ? formatScore(points) : '–'}</td>
    </tr>
  );
}

function observedOf(contribution: Contribution, score: ScoreDetail, { host }: SourceLinks): string {
  const { signal, status, value } = contribution;
  if (status === 'not_applicable') return 'not applicable';
  if (status === 'observed' && value !== null) {
    return describeObserved(signal, score.facts) ?? `${Math.round(value * 100)} of 100`;
  }
  return signalLabel(signal) === null ? 'missing' : whyMissing(contribution, score.contributions, host);
}

/** Shows the source of a fact, as a link if it has a URL, and the fact's age. */
function Source({
  contribution: { source, observedAt, signal },
  places,
  readAt,
}: Pick<SignalRowProps, 'contribution' | 'places'> & { readAt: string }) {
  if (source === null || observedAt === null) return null;
  const { text, href } = signalSource(source, signal, places);
  const isOurs = href?.startsWith('/') || href?.startsWith('#');
  return (
    <span class="note">
      {href === null ? (
        <ForeignText>{text}</ForeignText>
      ) : (
        <a href={href} rel={isOurs ? undefined : 'nofollow noopener ugc'}>
          <ForeignText>{text}</ForeignText>
        </a>
      )}{' '}
      · {isUndated(source, signal, places) && 'undated, counted from '}
      <Age at={observedAt} now={readAt} />
    </span>
  );
}
