import { METHOD } from '../../scoring/embedded/rs-1.0.0.ts';
import { Foreign, formatAge, formatPercent, formatScore, Moment } from '../../ui/text.tsx';
import { TrustLine } from '../../ui/trust-line.tsx';
import { HistorySection } from './history-section.tsx';
import type { ScoreDetail } from './score-detail.ts';
import { WhySection } from './why-section.tsx';

/** The current score: trust and confidence as two things, when and by what they were made, why, and how they went. */
export function ScoreSection({ score }: { score: ScoreDetail | null }) {
  if (score === null) {
    return (
      <section class="card" aria-labelledby="score">
        <h2 id="score">How far, and how sure</h2>
        <p>
          No confirmed score yet. That says nothing about the quality: too little is known, or nobody has
          asked. <a href="/method">How a score comes about</a>.
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
          The dot is trust, the band how sure that is. The tier is read from the band's lower end, here{' '}
          {formatScore(score.lowerBound)}: medium from {METHOD.tiers.medium}, high from {METHOD.tiers.high}.
        </p>
        <Making score={score} />
        <p class="small muted">
          Version <code>{score.version}</code>
        </p>
      </section>
      {score.contributions.length > 0 && <WhySection score={score} />}
      <HistorySection history={score.history} length={score.historyLength} />
    </>
  );
}

/** When and by whom a score was made, and from how old and how complete a view. */
function Making({ score }: { score: ScoreDetail }) {
  const { version, source, methodVersion, freshness, status, coverage, readAt } = score;
  return (
    <dl class="facts">
      <dt>Scored</dt>
      <dd>
        <Moment at={version} />, {formatAge(version, readAt)}
      </dd>
      <dt>Method</dt>
      <dd>
        <a href="/method">
          <Foreign>{methodVersion ?? 'its own'}</Foreign>
        </a>{' '}
        by <Foreign>{source === 'embedded' ? 'this directory' : source}</Foreign>
      </dd>
      <dt>Evidence</dt>
      <dd>
        <Foreign>{status}</Foreign>
        {coverage !== null && `: ${formatPercent(Math.round(coverage * 100) / 100)} of the weight seen`}
      </dd>
      <dt>Oldest observation</dt>
      <dd>
        <Moment at={freshness} />
      </dd>
    </dl>
  );
}
