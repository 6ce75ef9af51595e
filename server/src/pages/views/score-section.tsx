import type { Cap, Contribution } from '../../scoring/scoring-backend.ts';
import type { ScoreDetail } from '../page-data.ts';
import { Foreign, formatScore, Moment } from './text.tsx';
import { TrustLine } from './trust-line.tsx';

/** The current score: trust and confidence as two things, when and by what they were made, and why. */
export function ScoreSection({ score }: { score: ScoreDetail | null }) {
  if (score === null) {
    return (
      <section class="card" aria-labelledby="score">
        <h2 id="score">How far, and how sure</h2>
        <p>
          No confirmed score yet. That says nothing about the quality: too little is known, or nobody has
          asked.
        </p>
      </section>
    );
  }
  return (
    <>
      <section class="card" aria-labelledby="score">
        <h2 id="score">How far, and how sure</h2>
        <TrustLine trust={score.trust} lowerBound={score.lowerBound} />
        <p class="muted small">
          The dot is the trust score; the band is how sure we are. Scored on <Moment at={score.version} /> by{' '}
          <Foreign>{score.source === 'embedded' ? 'this directory' : score.source}</Foreign>
          {score.methodVersion !== null && (
            <>
              , method <Foreign>{score.methodVersion}</Foreign>
            </>
          )}
          . Oldest observation: <Moment at={score.freshness} />.
        </p>
        <dl>
          <dt>Score version</dt>
          <dd>
            <code>{score.version}</code>
          </dd>
          <dt>Evidence</dt>
          <dd>{score.status}</dd>
        </dl>
      </section>
      {score.contributions.length > 0 && <WhySection contributions={score.contributions} caps={score.caps} />}
    </>
  );
}

function WhySection({ contributions, caps }: { contributions: Contribution[]; caps: Cap[] }) {
  const heaviestFirst = [...contributions].sort((a, b) => b.weight - a.weight);
  return (
    <section class="card" aria-labelledby="why">
      <h2 id="why">Why</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Signal</th>
            <th scope="col">Seen</th>
            <th scope="col" class="n">
              Weight
            </th>
            <th scope="col" class="n">
              Points
            </th>
          </tr>
        </thead>
        <tbody>
          {heaviestFirst.map((contribution) => (
            <SignalRow key={contribution.signal} contribution={contribution} />
          ))}
        </tbody>
      </table>
      {caps.map((cap) => (
        <p key={cap.cap} class="small">
          Capped at {formatScore(cap.limit)} ({words(cap.cap)}): {formatScore(cap.raw)} became{' '}
          {formatScore(cap.final)}.
        </p>
      ))}
    </section>
  );
}

function SignalRow({ contribution }: { contribution: Contribution }) {
  const { signal, status, value, weight, points, source, observedAt, reason } = contribution;
  return (
    <tr class={status === 'observed' ? undefined : 'unseen'}>
      <th scope="row">{words(signal)}</th>
      <td>
        {status === 'observed' && value !== null
          ? `${Math.round(value * 100)} of 100`
          : (reason ?? words(status))}
        {source !== null && observedAt !== null && (
          <span class="muted small">
            {' '}
            · <Foreign>{source}</Foreign>, <Moment at={observedAt} />
          </span>
        )}
      </td>
      <td class="n">{weight}</td>
      <td class="n">{status === 'observed' ? formatScore(points) : '–'}</td>
    </tr>
  );
}

/** A signal's or cap's name as words: `creatorAge` and `creator_age` are `creator age`. */
function words(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
