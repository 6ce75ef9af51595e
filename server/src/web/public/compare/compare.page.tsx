import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import type { AgentRecord } from '../../../directory/agents/agent-record.ts';
import { verdictOf } from '../../../scoring/verdict/verdict.ts';
import { COMPARE_STYLE_PATH } from '../../components/assets.ts';
import { ForeignText } from '../../components/formatting.tsx';
import { Layout, renderDocument } from '../../components/layout.tsx';
import {
  figuresText,
  Hatching,
  Meter,
  NOT_ENOUGH_EVIDENCE,
  TrustLine,
  VerdictMark,
} from '../../components/score-figures.tsx';
import { absoluteUrl } from '../frame/page-dependencies.ts';
import type { ScoreDetail } from '../score/score-detail.queries.ts';
import { alignSignals, type Cell, type Row } from './align-signals.ts';
import { compareHref, MAX_COMPARED, SUBJECT_PARAMETERS } from './compare-links.tsx';

/** One column of the comparison: an agent or skill. */
export interface ComparedSubject {
  subject: ResolvedSubject;
  /** Null for an artifact, because it has no separate listing. */
  record: AgentRecord | null;
  score: ScoreDetail | null;
}

/** A requested name. `problem` says why the name does not identify an entry; it is null if the name does. */
interface RequestedName {
  text: string;
  problem: string | null;
}

/** Data of the comparison page. */
export interface ComparePage {
  requestedNames: RequestedName[];
  /** Unique subjects, in the requested order. */
  columns: ComparedSubject[];
  /** Number of requested names beyond the maximum. */
  omittedCount: number;
}

const ABOUT =
  'Two to four AI agents or skills side by side: owner, licence, activity, use and trust, differences first.';

const UNLISTED = { unlisted: true };

/** Renders the HTML document of a comparison. Search engines may index only the page without names. */
export function compareDocument(page: ComparePage, publicUrls: PublicUrls): string {
  const names = page.columns.map(({ subject }) => subject.name);
  const title = names.length > 1 ? `${names.join(' or ')}?` : 'Compare agents and skills';
  const url = absoluteUrl('/compare', publicUrls);
  const place =
    page.requestedNames.length === 0 ? { canonical: url, openGraph: { url, description: ABOUT } } : UNLISTED;
  return renderDocument(
    <Layout title={`${title} · Trust Directory`} {...place} current="compare" style={COMPARE_STYLE_PATH}>
      <CompareView page={page} />
    </Layout>,
  );
}

/** Shows the form for the names and, if at least two of them identify entries, the table that compares these. */
function CompareView({ page }: { page: ComparePage }) {
  const { columns, omittedCount } = page;
  const unknown = page.requestedNames.filter(({ problem }) => problem !== null);
  return (
    <>
      <h1>Compare</h1>
      <p class="lead muted">
        {columns.length > 1
          ? 'Differences first; the same scale in every column.'
          : 'Two to four agents or skills side by side: differences first, on one scale.'}
      </p>
      {omittedCount > 0 && (
        <p class="notice">
          You can compare at most {MAX_COMPARED}: these are the first {MAX_COMPARED}.
        </p>
      )}
      {unknown.length > 0 && (
        <p class="notice">
          {unknown.length} of {page.requestedNames.length} names {unknown.length === 1 ? 'matches' : 'match'}{' '}
          no entry: <a href="#choice">correct {unknown.length === 1 ? 'it' : 'them'} below</a>.
        </p>
      )}
      {columns.length > 1 && <CompareTable columns={columns} />}
      <CompareForm asked={page.requestedNames} />
    </>
  );
}

function CompareTable({ columns }: { columns: readonly ComparedSubject[] }) {
  const { differing, alike } = alignSignals(columns);
  return (
    <>
      <Hatching />
      {columns.length > 2 && <p class="sideways note">Scroll sideways to see all {columns.length}.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this section */}
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
          <Rows name="Same for all" rows={alike} empty="No shared values." />
        </table>
      </section>
    </>
  );
}

function ColumnHead({ column, columns }: { column: ComparedSubject; columns: readonly ComparedSubject[] }) {
  const { subject, score } = column;
  const others = columns.filter((each) => each !== column).map(unambiguousName);
  return (
    <th scope="col">
      {score ? <VerdictMark state={verdictOf(score).state} /> : <span class="muted">No score yet</span>}
      <h2>
        <a href={subject.publicPath}>
          <ForeignText>{subject.name}</ForeignText>
        </a>
      </h2>
      <p class="note">
        <ForeignText>{subject.repository}</ForeignText>
      </p>
      {score && <Figures score={score} />}
      <p class="note">
        <a href={compareHref(others)}>
          Remove <span class="hidden">{subject.name}</span>
        </a>
      </p>
    </th>
  );
}

function Figures({ score }: { score: NonNullable<ComparedSubject['score']> }) {
  const figures = figuresText({ ...score, verdict: verdictOf(score) });
  return (
    <>
      {figures !== NOT_ENOUGH_EVIDENCE && (
        <TrustLine trust={score.trust} lowerBound={score.lowerBound} compact={true} />
      )}
      <p class="figures">{figures}</p>
    </>
  );
}

/** Returns the id of a subject, because its other names may be ambiguous. */
function unambiguousName({ subject }: ComparedSubject): string {
  return subject.agentId ?? subject.id;
}

function Rows({ name, rows, empty }: { name: string; rows: readonly Row[]; empty: string }) {
  const span = 1 + (rows[0]?.cells.length ?? MAX_COMPARED);
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

/** Shows a cell as text. If any cell of the row has a value, each cell also has a meter, hatched if its value is missing. */
function CellContent({ cell: { seen, value, reason }, row }: { cell: Cell; row: Row }) {
  const hasScale = row.cells.some((each) => each.value !== null);
  return (
    <>
      {hasScale && <Meter value={value} />}
      {seen === null ? (
        <span class="note">
          <ForeignText>{reason}</ForeignText>
        </span>
      ) : (
        <ForeignText>{seen}</ForeignText>
      )}
    </>
  );
}

/** Shows a field for each requested name, with its error, and an empty field. There are two to four fields in all. */
function CompareForm({ asked }: { asked: readonly RequestedName[] }) {
  const fields = SUBJECT_PARAMETERS.slice(0, Math.min(MAX_COMPARED, Math.max(2, asked.length + 1)));
  return (
    <form class="card choice" action="/compare" method="get" aria-labelledby="choice">
      <h2 id="choice">{asked.length === 0 ? 'What to compare' : 'Compare others'}</h2>
      {fields.map((name, place) => (
        <ChoiceField key={name} name={name} place={place + 1} asked={asked[place]} />
      ))}
      <p>
        <button type="submit" class="primary">
          Compare
        </button>
      </p>
    </form>
  );
}

function ChoiceField({
  name,
  place,
  asked,
}: {
  name: string;
  place: number;
  asked: RequestedName | undefined;
}) {
  const problem = asked?.problem ?? null;
  return (
    <p>
      <label for={`name-${name}`}>{place}. Name, owner/repository, address or id</label>
      <input
        id={`name-${name}`}
        name={name}
        maxLength={300}
        value={asked?.text ?? ''}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `problem-${name}`}
      />
      {problem !== null && (
        <span class="note bad" id={`problem-${name}`}>
          {problem}
        </span>
      )}
    </p>
  );
}
