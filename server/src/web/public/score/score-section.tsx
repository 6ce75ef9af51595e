import type { ComponentChildren } from 'preact';
import type { SourceLinks } from '../../../directory/explanations/signal-sources.ts';
import { METHOD } from '../../../scoring/embedded/current-method.ts';
import { isDefaultScore, verdictOf } from '../../../scoring/verdict/verdict.ts';
import {
  ForeignText,
  formatAge,
  formatCount,
  formatPercent,
  formatScore,
  formatTrust,
  Moment,
} from '../../components/formatting.tsx';
import { TableHead } from '../../components/layout.tsx';
import { ChangeSummary, HistoryPlot } from './history-section.tsx';
import type { PastScore, ScoreDetail } from './score-detail.queries.ts';
import type { CategoryRank } from './subject-heading.tsx';
import { WhySection } from './why-section.tsx';

/** Maximum rows of the table, newest first; the plot shows more scores. */
const MAX_ROWS = 24;

interface HistorySectionProps {
  /** Past scores, oldest first. */
  history: readonly PastScore[];
  /** Total number of scores, including omitted ones. */
  length: number;
  /** True if hardly anything was observed, so that the figures are only defaults. */
  isBare?: boolean;
  children?: ComponentChildren;
}

/** Shows trust over time, as a plot and as a table. */
function HistorySection({ history, length, isBare = false, children }: HistorySectionProps) {
  const [only] = history;
  if (!only) return null;
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">Trust over time</h2>
      {history.length === 1 ? (
        <p>
          Scored once so far, on <Moment at={only.version} />. A chart appears after the second score.
        </p>
      ) : (
        <>
          {isBare || isFlat(history) ? (
            <p>
              Scored {formatCount(length)} times since <Moment at={only.version} />
              {isBare
                ? '. There is not enough evidence for a chart.'
                : `, each time with trust ${formatTrust(only.trust)}.`}
            </p>
          ) : (
            <HistoryPlot history={history} />
          )}
          <details>
            <summary>As a table</summary>
            <HistoryTable history={history} length={length} />
          </details>
        </>
      )}
      {children}
    </section>
  );
}

/** Returns true if the method and the rounded trust never changed, so that a plot would show nothing. */
function isFlat(history: readonly PastScore[]): boolean {
  const values = history.map(({ trust, method }) => [formatTrust(trust), method].join(' '));
  return new Set(values).size === 1;
}

function HistoryTable({ history, length }: HistorySectionProps) {
  const newestFirst = [...history].reverse().slice(0, MAX_ROWS);
  return (
    <table>
      {newestFirst.length < length && (
        <caption>
          {formatCount(newestFirst.length)} of {formatCount(length)} scores
        </caption>
      )}
      <TableHead of={['Scored', ['Method', 'wide-only'], ['Trust', 'n'], ['Confidence', 'n']]} />
      <tbody>
        {newestFirst.map(({ version, method, trust, confidence }) => (
          <tr key={version}>
            <td>
              <Moment at={version} />
              <span class="note small-only">
                <ForeignText>{method}</ForeignText>
              </span>
            </td>
            <td class="wide-only">
              <ForeignText>{method}</ForeignText>
            </td>
            <td class="n">{formatScore(trust)}</td>
            <td class="n">{formatScore(confidence)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ScoreSectionProps {
  score: ScoreDetail | null;
  places: SourceLinks;
  compared?: CategoryRank | null;
  notes?: ComponentChildren;
}

/** Shows a score's contributions, history and origin; renders nothing without a score. */
export function ScoreSection({ score, places, compared = null, notes }: ScoreSectionProps) {
  if (score === null) return null;
  const isBare = isDefaultScore(score.confidence, verdictOf(score).reasons);
  return (
    <>
      {score.contributions.length > 0 && <WhySection score={score} places={places} notes={notes} />}
      <HistorySection history={score.history} length={score.historyLength} isBare={isBare}>
        {!isBare && <ChangeSummary score={score} />}
      </HistorySection>
      <section class="card" aria-labelledby="score">
        <h2 id="score">About this score</h2>
        <ScoreFacts score={score} compared={compared} />
        <p class="small muted">
          Version <code>{score.version}</code>
        </p>
      </section>
    </>
  );
}

function capitalise(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** Shows the time, method, tier and rank of a score, and how complete and how old its evidence is. */
function ScoreFacts({ score, compared }: { score: ScoreDetail; compared: CategoryRank | null }) {
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
          <ForeignText>{methodVersion ?? 'not stated'}</ForeignText>
        </a>{' '}
        by <ForeignText>{source === 'embedded' ? 'this directory' : source}</ForeignText>
      </dd>
      <dt>Tier</dt>
      <dd>
        {capitalise(tier)} (lower bound {formatScore(lowerBound)}; medium &gt;= {METHOD.tiers.medium}, high
        &gt;= {METHOD.tiers.high})
      </dd>
      {compared !== null && (
        <>
          <dt>Rank</dt>
          <dd>
            above {compared.percentile}% of {formatCount(compared.among)} {compared.type}s in{' '}
            <ForeignText>{compared.category}</ForeignText>, counted <Moment at={compared.countedAt} />
          </dd>
        </>
      )}
      <dt>Evidence</dt>
      <dd>
        <ForeignText>{capitalise(status)}</ForeignText>
        {coverage !== null && `: ${formatPercent(Math.round(coverage * 100) / 100)} of the weight observed`}
      </dd>
      <dt>Oldest observation</dt>
      <dd>
        <Moment at={freshness} />
      </dd>
    </dl>
  );
}
