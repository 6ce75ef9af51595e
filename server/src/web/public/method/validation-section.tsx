import type { Interval } from '../../../scoring/validation/statistics.ts';
import type {
  ClassFigures,
  CoverageRow,
  DistributionRow,
  LabelFigures,
  LabelSummary,
  MethodFigures,
  StabilityRow,
  ValidationReport,
  WarnedShare,
} from '../../../scoring/validation/validation-report.ts';
import { ForeignText, formatCount, formatDay } from '../../components/formatting.tsx';
import { TableHead } from '../../components/layout.tsx';

/** Shows the results of the last validation of the scoring methods, and the limits of these results. */
export function ValidationSection({ report }: { report: ValidationReport }) {
  return (
    <section class="card" aria-labelledby="validation">
      <h2 id="validation">How good the scores are</h2>
      <p class="prose">
        Measured on <time dateTime={report.date}>{formatDay(report.date)}</time>. A figure appears only where
        enough independent examples exist on both sides. The method claims no accuracy beyond these figures.
      </p>
      {report.methods.map((figures) => (
        <MethodResult key={figures.method} figures={figures} />
      ))}
      <h3>Limits of these figures</h3>
      <ul class="prose">
        {report.limits.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
      {report.labels && <LabelSources labels={report.labels} />}
    </section>
  );
}

function MethodResult({ figures }: { figures: MethodFigures }) {
  const { method, listings, scored, labelled, stability, distribution } = figures;
  return (
    <>
      <h3>Method {method}</h3>
      <table>
        <TableHead of={['Figure', ['Result', 'n']]} />
        <tbody>
          <Result name="Listings with a score">{ofTotal(scored, listings)}</Result>
          {labelled && <LabelResults figures={labelled} />}
          {distribution.filter(({ kind }) => kind === 'all').map(spreadOf)}
          {distribution.slice(0, 1).map(({ onlyListed, rows }) => (
            <Result key="only listed" name="Listings known only because lists name them">
              {ofTotal(onlyListed, rows)}
            </Result>
          ))}
        </tbody>
      </table>
      <StabilityTable rows={stability} />
    </>
  );
}

function Result({ name, note, children }: { name: string; note?: string; children: string }) {
  return (
    <tr>
      <th scope="row">
        {name}
        {note && <span class="note">{note}</span>}
      </th>
      <td class="n">{children}</td>
    </tr>
  );
}

function LabelResults({ figures }: { figures: LabelFigures }) {
  const { coverage, recall, falseWarnings, classes } = figures;
  return (
    <>
      {(['good', 'bad', 'suspect'] as const).map((judgement) => (
        <Result key={judgement} name={`Labelled ${judgement}, with a score here`}>
          {coverageText(coverage.filter((row) => row.judgement === judgement))}
        </Result>
      ))}
      <Result name="Known-bad listings with a warning" {...noteOf(intervalNote(recall))}>
        {ofTotal(recall.warned, recall.scored)}
      </Result>
      <Result name="Good listings with a warning" {...noteOf(intervalNote(falseWarnings))}>
        {ofTotal(falseWarnings.warned, falseWarnings.scored)}
      </Result>
      {classes.map((each) => (
        <ClassResults key={each.name} figures={each} />
      ))}
    </>
  );
}

function ClassResults({ figures }: { figures: ClassFigures }) {
  const { name, notMeasurable, areaUnderCurve, calibration } = figures;
  const title = `Trust of good above bad listings, ${name === 'all' ? 'all kinds' : `kind ${name}`}`;
  if (notMeasurable !== null) {
    return (
      <Result name={title} note={notMeasurable}>
        not measurable
      </Result>
    );
  }
  return (
    <>
      {areaUnderCurve && (
        <Result name={`${title} (AUC)`} {...noteOf(intervalText(areaUnderCurve.interval, formatDecimals))}>
          {formatDecimals(areaUnderCurve.value)}
        </Result>
      )}
      {calibration && (
        <Result
          name={`${title} (calibration error)`}
          {...noteOf(intervalText(calibration.interval, formatDecimals))}
        >
          {formatDecimals(calibration.error)}
        </Result>
      )}
    </>
  );
}

function spreadOf({ listings, rows, commonestShare, entropyBits }: DistributionRow) {
  return (
    <Result
      key={listings}
      name={listings === 'all' ? 'Listings with the commonest score' : 'Of those with known stars'}
      note={`${formatCount(rows)} listings, ${entropyBits.toFixed(1)} bits of entropy`}
    >
      {formatShare(commonestShare)}
    </Result>
  );
}

function StabilityTable({ rows }: { rows: readonly StabilityRow[] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <p class="prose">
        How far the scores move if one of the largest source lists is left out, in points: the mean and the
        largest move of the listings that other lists name too.
      </p>
      <table>
        <TableHead of={['Without', ['Trust', 'n'], ['Confidence', 'n']]} />
        <tbody>
          {rows.map(({ list, listings, onlyThere, changed, trust, confidence }) => (
            <tr key={list}>
              <th scope="row" class="breaks">
                <ForeignText>{list}</ForeignText>
                <span class="note">
                  {formatCount(listings)} listings, {formatCount(onlyThere)} only there;{' '}
                  {formatCount(changed)} of the others move
                </span>
              </th>
              <td class="n">{`${trust.mean.toFixed(1)}, ${trust.largest.toFixed(1)}`}</td>
              <td class="n">{`${confidence.mean.toFixed(1)}, ${confidence.largest.toFixed(1)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function LabelSources({ labels }: { labels: LabelSummary }) {
  return (
    <>
      <h3>Sources of the labels</h3>
      <p class="prose">{formatCount(labels.rows)} labels, of these collections:</p>
      <ul class="prose">
        {labels.groups.map(({ group, rows, source, licence }) => (
          <li key={group}>
            <ForeignText>{group}</ForeignText>
            {`: ${formatCount(rows)}, from `}
            <ForeignText>{source}</ForeignText>
            {`, licence ${licence}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function coverageText(rows: readonly CoverageRow[]): string {
  const sum = (figure: (row: CoverageRow) => number) => rows.reduce((total, row) => total + figure(row), 0);
  return ofTotal(
    sum(({ scored }) => scored),
    sum(({ labels }) => labels),
  );
}

function intervalNote({ warned, scored, interval }: WarnedShare): string | null {
  return interval && `${formatShare(warned / scored)}, ${intervalText(interval, formatShare)}`;
}

function intervalText(interval: Interval | null, format: (value: number) => string): string | null {
  return interval && `95% interval ${format(interval.low)} to ${format(interval.high)}`;
}

function noteOf(note: string | null): { note?: string } {
  return note === null ? {} : { note };
}

function ofTotal(count: number, total: number): string {
  return `${formatCount(count)} of ${formatCount(total)}`;
}

function formatShare(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function formatDecimals(value: number): string {
  return value.toFixed(3);
}
