import { priorPoints } from '../../scoring/embedded/frame.ts';
import { METHOD } from '../../scoring/embedded/rs-1.0.0.ts';
import type { Cap } from '../../scoring/scoring-backend.ts';
import { Columns } from '../../ui/columns.tsx';
import { Hatching } from '../../ui/meter.tsx';
import { Foreign, formatScore, toWords } from '../../ui/text.tsx';
import { addUp } from './add-up.ts';
import { isOfRepository } from './repository-signals.ts';
import type { ScoreDetail } from './score-detail.ts';
import { SignalRow } from './signal-row.tsx';
import { nameOfSignal } from './signal-words.ts';
import type { SubjectPlaces } from './sources.ts';

interface WhyProps {
  score: ScoreDetail;
  places: SubjectPlaces;
}

/** Every stored contribution, heaviest first, down to the trust that they add up to. */
export function WhySection({ score, places }: WhyProps) {
  const heaviestFirst = [...score.contributions].sort((a, b) => b.weight - a.weight);
  const points = heaviestFirst.map((each) => (each.status === 'observed' ? each.points : 0));
  // Only our own method says where it starts before it has seen anything.
  const prior = score.methodVersion === METHOD.version ? priorPoints(heaviestFirst) : null;
  const { rounded, sum } = addUp(prior === null ? points : [...points, prior], 1);
  const addsUp = score.caps.length === 0 && formatScore(sum) === formatScore(score.trust);
  return (
    <section class="card" aria-labelledby="why">
      <h2 id="why">Why</h2>
      {places.partOf !== null && <OfRepository places={places} score={score} />}
      <Hatching />
      <table class="why">
        <Columns
          of={['Signal', 'Found', ['Value', 'wide-only'], ['Weight', 'n wide-only'], ['Points', 'n']]}
        />
        <tbody>
          {heaviestFirst.map((contribution, place) => (
            <SignalRow
              key={contribution.signal}
              contribution={contribution}
              points={rounded[place] ?? 0}
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

/** What is inside a repository is judged by figures of the whole: that is said before they are read as its own. */
function OfRepository({ places: { partOf }, score }: WhyProps) {
  if (partOf === null || !score.contributions.some((each) => isOfRepository(each, score.facts))) return null;
  return (
    <p class="small">
      <span class="chip tag">repository</span> marks facts of{' '}
      <a href={partOf.path}>
        <Foreign>{partOf.text}</Foreign>
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
        Capped at {formatScore(limit)}: {nameOfSignal(cap) ?? <Foreign>{toWords(cap)}</Foreign>}
      </th>
      <td class="wide-only" colSpan={2} />
      <td class="n">
        {formatScore(raw)} → {formatScore(final)}
      </td>
    </tr>
  );
}
