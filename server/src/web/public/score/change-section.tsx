import {
  compareScores,
  describeDifference,
  formatChange,
  isVisible,
  type SignalChange,
} from '../../../scoring/explanations/compare-scores.ts';
import { ForeignText, Moment, toWords } from '../../components/formatting.tsx';
import type { ScoreDetail } from './score-detail.queries.ts';

/** Maximum number of signals in the list; the API returns all. */
const MAX_SIGNALS = 6;

/** Says what changed since last month, or since the first score if it is younger, and lists the signals that moved. */
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

/** Names a signal, with what was observed before and after if that differs. */
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
