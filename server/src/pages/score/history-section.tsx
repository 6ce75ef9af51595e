import { Columns } from '../../ui/columns.tsx';
import { Foreign, formatCount, formatScore, formatTrust, Moment } from '../../ui/text.tsx';
import { HistoryPlot } from './history-plot.tsx';
import type { PastScore } from './score-detail.ts';

/** Newest rows of the table; the plot has the rest. */
const SHOWN_ROWS = 24;

interface HistorySectionProps {
  /** Oldest first. */
  history: readonly PastScore[];
  /** How many scores there were in truth. */
  length: number;
  /** Nothing was observed, so that the figures are those of thousands. */
  isBare?: boolean;
}

/** How trust went, as a plot and as the same figures in a table. */
export function HistorySection({ history, length, isBare = false }: HistorySectionProps) {
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
    </section>
  );
}

/** One trust, however often: a line of it would show nothing. A change of the method is worth one. */
function isFlat(history: readonly PastScore[]): boolean {
  const values = history.map(({ trust, method }) => [formatTrust(trust), method].join(' '));
  return new Set(values).size === 1;
}

function HistoryTable({ history, length }: HistorySectionProps) {
  const newestFirst = [...history].reverse().slice(0, SHOWN_ROWS);
  return (
    <table>
      {newestFirst.length < length && (
        <caption>
          {formatCount(newestFirst.length)} of {formatCount(length)} scores
        </caption>
      )}
      <Columns of={['Scored', ['Method', 'wide-only'], ['Trust', 'n'], ['Confidence', 'n']]} />
      <tbody>
        {newestFirst.map(({ version, method, trust, confidence }) => (
          <tr key={version}>
            <td>
              <Moment at={version} />
              <span class="note small-only">
                <Foreign>{method}</Foreign>
              </span>
            </td>
            <td class="wide-only">
              <Foreign>{method}</Foreign>
            </td>
            <td class="n">{formatScore(trust)}</td>
            <td class="n">{formatScore(confidence)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
