import { verdictOf } from '../../scoring/verdict/verdict.ts';
import { Hatching, Meter } from '../../ui/meter.tsx';
import { Foreign } from '../../ui/text.tsx';
import { figuresText, NOT_ENOUGH } from '../../ui/trust-figures.tsx';
import { TrustLine } from '../../ui/trust-line.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import { alignSignals, type Cell, type Row } from './align-signals.ts';
import { ChoiceForm } from './choice-form.tsx';
import { type Compared, type ComparePage, MOST_COMPARED } from './compare-page-data.ts';
import { compareAddress } from './compare-query.ts';

/** Two to four agents or skills side by side: what tells them apart first, every signal on one scale. */
export function CompareView({ page }: { page: ComparePage }) {
  const { columns, leftOut } = page;
  const unknown = page.asked.filter(({ problem }) => problem !== null);
  return (
    <>
      <h1>Compare</h1>
      <p class="lead muted">
        {columns.length > 1
          ? 'Differences first; the same scale in every column.'
          : 'Two to four agents or skills side by side: differences first, on one scale.'}
      </p>
      {leftOut > 0 && (
        <p class="notice">
          You can compare at most {MOST_COMPARED}: these are the first {MOST_COMPARED}.
        </p>
      )}
      {unknown.length > 0 && (
        <p class="notice">
          {unknown.length} of {page.asked.length} names {unknown.length === 1 ? 'matches' : 'match'} no entry:{' '}
          <a href="#choice">correct {unknown.length === 1 ? 'it' : 'them'} below</a>.
        </p>
      )}
      {columns.length > 1 && <CompareTable columns={columns} />}
      <ChoiceForm asked={page.asked} />
    </>
  );
}

function CompareTable({ columns }: { columns: readonly Compared[] }) {
  const { differing, alike } = alignSignals(columns);
  return (
    <>
      <Hatching />
      {columns.length > 2 && <p class="sideways note">Scroll sideways to see all {columns.length}.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Comparison">
        <table class={`compare of-${columns.length}`}>
          <thead>
            <tr>
              <td />
              {columns.map((column) => (
                <ColumnHead key={column.subject.id} column={column} columns={columns} />
              ))}
            </tr>
          </thead>
          <Rows name="Differences" rows={differing} empty="No known differences." />
          <Rows name="Same for all" rows={alike} empty="Nothing." />
        </table>
      </section>
    </>
  );
}

function ColumnHead({ column, columns }: { column: Compared; columns: readonly Compared[] }) {
  const { subject, score } = column;
  const others = columns.filter((each) => each !== column).map(nameToAsk);
  return (
    <th scope="col">
      {score ? <VerdictMark state={verdictOf(score).state} /> : <span class="muted">No score yet</span>}
      <h2>
        <a href={subject.publicPath}>
          <Foreign>{subject.name}</Foreign>
        </a>
      </h2>
      <p class="note">
        <Foreign>{subject.repository}</Foreign>
      </p>
      {score && <Figures score={score} />}
      <p class="note">
        <a href={compareAddress(others)}>
          Remove <span class="hidden">{subject.name}</span>
        </a>
      </p>
    </th>
  );
}

function Figures({ score }: { score: NonNullable<Compared['score']> }) {
  const figures = figuresText({ ...score, verdict: verdictOf(score) });
  return (
    <>
      {figures !== NOT_ENOUGH && (
        <TrustLine trust={score.trust} lowerBound={score.lowerBound} compact={true} />
      )}
      <p class="figures">{figures}</p>
    </>
  );
}

/** A name that leads to exactly this one: an id. */
function nameToAsk({ subject }: Compared): string {
  return subject.agentId ?? subject.id;
}

function Rows({ name, rows, empty }: { name: string; rows: readonly Row[]; empty: string }) {
  const span = 1 + (rows[0]?.cells.length ?? MOST_COMPARED);
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" colSpan={span}>
          {name}
        </th>
      </tr>
      {rows.length === 0 && (
        <tr>
          <td colSpan={span}>{empty}</td>
        </tr>
      )}
      {rows.map((row) => (
        <tr key={row.name}>
          <th scope="row">{row.name}</th>
          {row.cells.map((cell, place) => (
            <td key={String(place)}>
              <CellContent cell={cell} row={row} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

/** Rows whose signals have a scale draw it in every column, hatched where nothing was seen. */
function CellContent({ cell: { seen, value, reason }, row }: { cell: Cell; row: Row }) {
  const hasScale = row.cells.some((each) => each.value !== null);
  return (
    <>
      {hasScale && <Meter value={value} />}
      {seen === null ? (
        <span class="note">
          <Foreign>{reason}</Foreign>
        </span>
      ) : (
        <Foreign>{seen}</Foreign>
      )}
    </>
  );
}
