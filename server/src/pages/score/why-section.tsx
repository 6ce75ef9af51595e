import { priorPoints } from '../../scoring/embedded/frame.ts';
import { METHOD } from '../../scoring/embedded/rs-1.0.0.ts';
import type { Cap, Contribution } from '../../scoring/scoring-backend.ts';
import { Columns } from '../../ui/columns.tsx';
import { Hatching, Meter } from '../../ui/meter.tsx';
import { Foreign, formatAge, formatScore, Moment, toWords } from '../../ui/text.tsx';
import { addUp } from './add-up.ts';
import type { ScoreDetail } from './score-detail.ts';
import { describeSeen, nameOfSignal } from './signal-words.ts';

/** Every stored contribution, heaviest first, down to the trust that they add up to. */
export function WhySection({ score }: { score: ScoreDetail }) {
  const heaviestFirst = [...score.contributions].sort((a, b) => b.weight - a.weight);
  const points = heaviestFirst.map((each) => (each.status === 'observed' ? each.points : 0));
  // Only our own method says what it believes before it has seen anything.
  const prior = score.methodVersion === METHOD.version ? priorPoints(heaviestFirst) : null;
  const { rounded, sum } = addUp(prior === null ? points : [...points, prior], 2);
  return (
    <section class="card" aria-labelledby="why">
      <h2 id="why">Why</h2>
      <Hatching />
      <table class="why">
        <Columns
          of={['Signal', 'Seen', ['Value', 'wide-only'], ['Weight', 'n wide-only'], ['Points', 'n']]}
        />
        <tbody>
          {heaviestFirst.map((contribution, place) => (
            <SignalRow
              key={contribution.signal}
              contribution={contribution}
              points={rounded[place] ?? 0}
              score={score}
            />
          ))}
        </tbody>
        <tfoot>
          {prior !== null && <SumRow name="Believed before anything is seen" points={rounded.at(-1) ?? 0} />}
          <SumRow name="Sum" points={sum} />
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

/** Sources that are this directory itself, as a reader knows them. */
const OURS = new Map([
  ['registry', 'this directory'],
  ['linked_accounts', 'accounts proved here'],
]);

interface SignalRowProps {
  contribution: Contribution;
  points: number;
  score: ScoreDetail;
}

function SignalRow({ contribution, points, score }: SignalRowProps) {
  const { signal, status, value, weight, source, observedAt, reason } = contribution;
  const isSeen = status === 'observed' && value !== null;
  const seen = isSeen
    ? (describeSeen(signal, score.facts) ?? `${Math.round(value * 100)} of 100`)
    : status === 'missing'
      ? 'missing'
      : 'not applicable';
  return (
    <tr class={isSeen ? undefined : 'muted'}>
      <th scope="row">
        {nameOfSignal(signal) ?? <Foreign>{toWords(signal)}</Foreign>}
        <span class="note small-only">weight {weight}</span>
        {source !== null && observedAt !== null && (
          <span class="note">
            <Foreign>{OURS.get(source) ?? source}</Foreign>, <Moment at={observedAt} />
            <span class="wide-only">, {formatAge(observedAt, score.readAt)}</span>
          </span>
        )}
      </th>
      <td>
        <Foreign>{seen}</Foreign>
        {reason !== null && !isSeen && (
          <span class="note">
            <Foreign>{reason}</Foreign>
          </span>
        )}
      </td>
      <td class="wide-only">
        {status === 'not_applicable' ? <span class="note">not counted</span> : <Meter value={value} />}
      </td>
      <td class="n wide-only">{weight}</td>
      <td class="n">{isSeen ? points.toFixed(2) : '–'}</td>
    </tr>
  );
}

function SumRow({ name, points }: { name: string; points: number }) {
  return (
    <tr>
      <th scope="row" colSpan={2}>
        {name}
      </th>
      <td class="wide-only" colSpan={2} />
      <td class="n">{points.toFixed(2)}</td>
    </tr>
  );
}

function CapRow({ cap: { cap, limit, raw, final } }: { cap: Cap }) {
  return (
    <tr>
      <th scope="row" colSpan={2}>
        Capped at {formatScore(limit)}: {nameOfSignal(cap) ?? <Foreign>{toWords(cap)}</Foreign>}
      </th>
      <td class="wide-only" colSpan={2} />
      <td class="n">
        {formatScore(raw)} → {formatScore(final)}
      </td>
    </tr>
  );
}
