import { METHOD } from '../../scoring/embedded/rs-1.0.0.ts';
import { restsOnDefaults, verdictOf } from '../../scoring/verdict/verdict.ts';
import { Foreign, formatAge, formatCount, formatPercent, formatScore, Moment } from '../../ui/text.tsx';
import { HistorySection } from './history-section.tsx';
import type { ScoreDetail } from './score-detail.ts';
import type { SubjectPlaces } from './sources.ts';
import type { Compared } from './verdict-banner.tsx';
import { WhySection } from './why-section.tsx';

interface ScoreSectionProps {
  score: ScoreDetail | null;
  places: SubjectPlaces;
  compared?: Compared | null;
}

/** What a score is made of, how it went, and when and by what it was made. Nothing where there is none. */
export function ScoreSection({ score, places, compared = null }: ScoreSectionProps) {
  if (score === null) return null;
  const isBare = restsOnDefaults(score.confidence, verdictOf(score).reasons);
  return (
    <>
      {score.contributions.length > 0 && <WhySection score={score} places={places} />}
      <HistorySection history={score.history} length={score.historyLength} isBare={isBare} />
      <section class="card" aria-labelledby="score">
        <h2 id="score">About this score</h2>
        <Making score={score} compared={compared} />
        <p class="small muted">
          Version <code>{score.version}</code>
        </p>
      </section>
    </>
  );
}

/** Puts a capital first. */
function toTitle(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** When and by whom a score was made, and from how old and how complete a view. */
function Making({ score, compared }: { score: ScoreDetail; compared: Compared | null }) {
  const { version, source, methodVersion, freshness, status, coverage, readAt, tier, lowerBound } = score;
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
      <dt>Tier</dt>
      <dd>
        {toTitle(tier)} (lower bound {formatScore(lowerBound)}; medium &gt;= {METHOD.tiers.medium}, high &gt;={' '}
        {METHOD.tiers.high})
      </dd>
      {compared !== null && (
        <>
          <dt>Rank</dt>
          <dd>
            above {compared.percentile}% of {formatCount(compared.among)} {compared.type}s in{' '}
            <Foreign>{compared.category}</Foreign>, counted <Moment at={compared.countedAt} />
          </dd>
        </>
      )}
      <dt>Evidence</dt>
      <dd>
        <Foreign>{toTitle(status)}</Foreign>
        {coverage !== null && `: ${formatPercent(Math.round(coverage * 100) / 100)} of the weight observed`}
      </dd>
      <dt>Oldest observation</dt>
      <dd>
        <Moment at={freshness} />
      </dd>
    </dl>
  );
}
