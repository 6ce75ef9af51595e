import { METHOD } from '../../../scoring/embedded/current-method.ts';
import {
  compareScores,
  describeDifference,
  formatChange,
  isVisible,
  type SignalChange,
} from '../../../scoring/explanations/compare-scores.ts';
import { ForeignText, formatDay, formatTrust, Moment, toWords } from '../../components/formatting.tsx';
import type { PastScore, ScoreDetail } from './score-detail.queries.ts';

const HEIGHT = 164;

/** Vertical coordinate of trust 100. */
const TOP = 24;

/** Vertical coordinate of trust 0. */
const BOTTOM = 138;

/**
 * Plots trust and its uncertainty band over time. The curve has steps, because a score holds until the next one. The style
 * sheet's padding makes room for labels, so that a percentage of the width is the same percentage of the time span.
 */
export function HistoryPlot({ history }: { history: readonly PastScore[] }) {
  const [first, last] = [history[0], history.at(-1)];
  if (!first || !last) return null;
  const label = `Trust from ${formatTrust(first.trust)} on ${formatDay(first.version)} to ${formatTrust(last.trust)} on ${formatDay(last.version)}`;
  const points = place(history, first, last);
  return (
    <svg class="plot" width="100%" height={HEIGHT} role="img" aria-label={label}>
      {[0, METHOD.tiers.medium, METHOD.tiers.high, 100].map((trust) => (
        <Grid key={trust} trust={trust} />
      ))}
      <Curve points={points} />
      <MethodChanges points={points} />
      <circle class="dot" cx="100%" cy={yOf(last.trust)} r="4.5" />
      <text class="name" x="100%" dx="9" y={yOf(last.trust) + 4}>
        {formatTrust(last.trust)}
      </text>
      {formatDay(first.version) !== formatDay(last.version) && (
        <text x="0%" y={HEIGHT - 4}>
          {formatDay(first.version)}
        </text>
      )}
      <text x="100%" y={HEIGHT - 4} text-anchor="end">
        {formatDay(last.version)}
      </text>
    </svg>
  );
}

/** A score with its horizontal coordinate, from 0 for the first score to 1000 for the last. */
interface Point {
  x: number;
  score: PastScore;
}

function place(history: readonly PastScore[], first: PastScore, last: PastScore): Point[] {
  const start = Date.parse(first.version);
  const span = Math.max(1, Date.parse(last.version) - start);
  return history.map((score) => ({
    x: Math.round((1000 * (Date.parse(score.version) - start)) / span),
    score,
  }));
}

function yOf(trust: number): number {
  return Math.round(10 * (BOTTOM - ((BOTTOM - TOP) * trust) / 100)) / 10;
}

function Grid({ trust }: { trust: number }) {
  const y = yOf(trust);
  return (
    <>
      <line class="gridline" x1="0%" x2="100%" y1={y} y2={y} />
      <text x="0%" dx="-8" y={y + 4} text-anchor="end">
        {trust}
      </text>
    </>
  );
}

/** Draws trust and its uncertainty band, stretched to the plot's width. The width of the stroke is not stretched. */
function Curve({ points }: { points: readonly Point[] }) {
  const upper = ({ trust, lowerBound }: PastScore) => Math.min(100, 2 * trust - lowerBound);
  const above = steps(points, upper);
  const below = steps(points, (score) => Math.min(score.lowerBound, score.trust));
  const area = `M${above.join('L')}L${below.reverse().join('L')}Z`;
  return (
    <svg
      width="100%"
      height={HEIGHT}
      viewBox={`0 0 1000 ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="area" d={area} />
      <path
        class="spark"
        d={`M${steps(points, ({ trust }) => trust).join('L')}`}
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
}

function steps(points: readonly Point[], trustOf: (score: PastScore) => number): string[] {
  return points.flatMap(({ x, score }, index) => {
    const y = yOf(trustOf(score));
    const before = points[index - 1];
    return before ? [`${x},${yOf(trustOf(before.score))}`, `${x},${y}`] : [`${x},${y}`];
  });
}

/** Marks changes of the method with dashed lines, because scores of different methods are not comparable. */
function MethodChanges({ points }: { points: readonly Point[] }) {
  const changes = points.filter(({ score }, index) => {
    const before = points[index - 1];
    return before && before.score.method !== score.method;
  });
  return (
    <>
      {changes.map(({ x, score }) => {
        const at = `${(x / 10).toFixed(1)}%`;
        return (
          <g key={score.version}>
            <line class="change" x1={at} x2={at} y1="14" y2={BOTTOM} />
            <text x={at} y="10" text-anchor={x > 800 ? 'end' : x < 200 ? 'start' : 'middle'}>
              {score.method}
            </text>
          </g>
        );
      })}
    </>
  );
}

/** Maximum number of signals in the list; the API returns all. */
const MAX_SIGNALS = 6;

/** States how trust has changed in 30 days, or since a younger first score, and lists the signals that moved most. */
export function ChangeSummary({ score }: { score: ScoreDetail }) {
  if (score.compared === undefined) return null;
  return (
    <>
      <h3 id="changes">What changed since last month</h3>
      <Changes score={score} compared={score.compared} />
    </>
  );
}

function Changes({
  score,
  compared: { earlier, ...current },
}: {
  score: ScoreDetail;
  compared: NonNullable<ScoreDetail['compared']>;
}) {
  if (earlier === null) {
    return (
      <p>
        {score.historyLength <= 1 ? (
          'There is no earlier score to compare with.'
        ) : (
          <>
            Nothing: the score is still that of <Moment at={score.version} />.
          </>
        )}
      </p>
    );
  }
  const newer = { ...score, ...current };
  const difference = compareScores(earlier, newer);
  const moved = difference.signals.filter(({ total }) => isVisible(total)).slice(0, MAX_SIGNALS);
  return (
    <>
      <p>
        <ForeignText>{describeDifference(difference, { from: earlier, to: newer })}</ForeignText>
      </p>
      {moved.length > 0 && (
        <ul class="ways">
          {moved.map((change) => (
            <li key={change.signal}>
              <span>
                <MovedSignal change={change} />
              </span>{' '}
              <b class="n">{formatChange(change.total)}</b>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Names a signal. If the observed value has changed, also shows the value before and after. */
function MovedSignal({ change: { signal, label, was, is } }: { change: SignalChange }) {
  const [before, after] = [was?.found ?? null, is?.found ?? null];
  return (
    <>
      {label ?? <ForeignText>{toWords(signal)}</ForeignText>}
      {before !== after && (
        <>
          {': '}
          <ForeignText>
            {before ?? 'not known'} → {after ?? 'not known'}
          </ForeignText>
        </>
      )}
    </>
  );
}
