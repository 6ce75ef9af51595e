import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import { formatActivity } from '../../../directory/lists/activity.ts';
import type { EntryFlag, ListedAgent } from '../../../directory/lists/link-agents.ts';
import { explainRecord } from '../../../directory/search/explain-match.ts';
import type { SearchTerm } from '../../../directory/search/search-term.ts';
import { licenseClass } from '../../../scoring/embedded/license-class.ts';
import { REASONS } from '../../../scoring/verdict/reasons.ts';
import { ForeignText, formatDay, Moment } from '../../components/formatting.tsx';
import { figuresText, NOT_ENOUGH_EVIDENCE, TrustLine, VerdictMark } from '../../components/score-figures.tsx';
import { PICK_PARAMETER } from '../compare/compare-links.tsx';
import { MarkedText, MatchReasons, starsText } from './match-reasons.tsx';
import { listHref } from './page-links.tsx';

interface AgentRowsProps {
  agents: readonly ListedAgent[];
  start?: number;
  /** Level of the entries' headings: one below the list's own heading. */
  level?: 2 | 3;
  /** Adds a check box to each entry, for the surrounding comparison form. */
  pick?: boolean;
  /** Shows the creator of each entry; false on the page of a creator. */
  showsCreator?: boolean;
  /** The search that found the entries. */
  search?: RowSearch;
}

/** Terms of a search, which the rows mark. With `showsReasons`, each row also says why its entry was found. */
interface RowSearch {
  terms: readonly SearchTerm[];
  showsReasons: boolean;
  /** Texts of artifacts that contain terms of the search, by the listing's subject id. */
  inside?: ReadonlyMap<string, readonly string[]>;
}

const NO_SEARCH: RowSearch = { terms: [], showsReasons: false };

/** Maximum number of tags in a row. */
const MAX_TAGS = 4;

/** Shows the entries of a list with the facts to choose by, the verdict and both figures. */
export function ListingRows({
  agents,
  start = 1,
  level = 2,
  pick = false,
  showsCreator = true,
  search = NO_SEARCH,
}: AgentRowsProps) {
  const sharedAt = sharedFiguresAt(agents);
  return (
    <>
      <FiguresAsOf at={sharedAt} />
      <ol class="rows" start={start}>
        {agents.map((agent) => (
          <AgentRow
            key={agent.record.agentId}
            agent={agent}
            level={level}
            pick={pick}
            showsCreator={showsCreator}
            search={search}
            showsDay={sharedAt === null}
          />
        ))}
      </ol>
    </>
  );
}

type AgentRowProps = Required<Pick<AgentRowsProps, 'level' | 'pick' | 'showsCreator' | 'search'>> & {
  agent: ListedAgent;
  /** True if the row states the day on which its figures were read. */
  showsDay: boolean;
};

function AgentRow({ agent, level, pick, showsCreator, search, showsDay }: AgentRowProps) {
  const { record, path, creator, mark } = agent;
  const explanation = explainRecord(record, search.terms, search.inside?.get(record.subjectId));
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <li>
      <div>
        <div class="name">
          <Title>
            <a href={path}>
              <MarkedText text={record.name} marks={explanation.nameMarks} />
            </a>
          </Title>
          {showsCreator && (
            <span class="muted small">
              {' '}
              by{' '}
              <a href={creator.path}>
                <ForeignText>{creator.text}</ForeignText>
              </a>
            </span>
          )}
        </div>
        {record.description !== '' && (
          <p class="clamp one">
            <MarkedText text={record.description} marks={explanation.descriptionMarks} />
          </p>
        )}
        {search.showsReasons && <MatchReasons agent={agent} explanation={explanation} />}
        {mark !== null && <Mark mark={mark} />}
        <p class="meta">
          {factsOf(agent, { showsDay, showsStars: !search.showsReasons }).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        <p class="meta">
          <span>{record.type}</span>
          <a href={listHref({ category: record.category })}>{record.category}</a>
          {[...new Set(record.tags)].slice(0, MAX_TAGS).map((tag) => (
            <a key={tag} href={listHref({ tag })}>
              <ForeignText>#{tag}</ForeignText>
            </a>
          ))}
        </p>
      </div>
      <div class="figures">
        {pick && (
          <label class="pick">
            <input type="checkbox" name={PICK_PARAMETER} value={record.agentId} /> compare
            <span class="hidden"> {record.name}</span>
          </label>
        )}
        <Figures agent={agent} />
      </div>
    </li>
  );
}

const MARK_WORDS = {
  copy: { stated: 'A copy of', inferred: 'Probably a copy of' },
  'old name': { stated: 'The old name of', inferred: 'Probably the old name of' },
} as const;

/** Shows that this entry is an old name or a copy, with a link to the newest name or the original. */
function Mark({ mark: { kind, stated, of } }: { mark: EntryFlag }) {
  return (
    <p class="small">
      {MARK_WORDS[kind][stated ? 'stated' : 'inferred']}{' '}
      <a href={of.path}>
        <ForeignText>{of.text}</ForeignText>
      </a>
    </p>
  );
}

/** Lists an entry's facts: warnings first, then stars, activity, day of the figures, licence and ownership. */
function factsOf(
  agent: ListedAgent,
  { showsDay, showsStars }: { showsDay: boolean; showsStars: boolean },
): string[] {
  const { record, figuresAt, readAt } = agent;
  const { stars, lastCommitAt, license, verified } = record;
  const reasons = agentVerdict(record)?.reasons ?? [];
  const warnings = reasons.filter((code) => REASONS[code].kind === 'warning');
  const isFetched = showsFigures(agent);
  return [
    ...warnings.map((code) => REASONS[code].phrase),
    ...(stars === null || !showsStars ? [] : [starsText(stars)]),
    ...(lastCommitAt === null ? [] : [formatActivity(lastCommitAt, readAt)]),
    ...(showsDay && isFetched && figuresAt !== null ? [`as of ${formatDay(figuresAt)}`] : []),
    ...(isFetched ? [] : ['repository figures not known']),
    ...(license === null ? [] : [licenceWords(license)]),
    verified ? 'owner verified' : 'not claimed',
  ];
}

/** Maximum length of a licence name that is not OSI-approved; a longer one is shown as "other licence". */
const MAX_LICENCE_NAME = 20;

/** Returns the licence's name, "no licence", or "other licence" if the text is not a name. */
function licenceWords(license: string): string {
  const kind = licenseClass(license);
  if (kind === 'none') return 'no licence';
  const isName = kind === 'osi' || (license !== 'NOASSERTION' && license.length <= MAX_LICENCE_NAME);
  return isName ? license : 'other licence';
}

function Figures({ agent: { record, lowerBound } }: { agent: ListedAgent }) {
  const { trust, confidence } = record;
  const verdict = agentVerdict(record);
  if (trust === null || confidence === null) return <span>{figuresText(null)}</span>;
  const figures = figuresText({ trust, confidence, verdict });
  const showsTrust = figures !== NOT_ENOUGH_EVIDENCE && lowerBound !== null;
  return (
    <>
      {verdict !== null && <VerdictMark state={verdict.state} />}
      {showsTrust && <TrustLine trust={trust} lowerBound={lowerBound} compact={true} />}
      <span>{figures}</span>
    </>
  );
}

/** States the day on which all figures below were read; renders nothing if that is not one known day. */
function FiguresAsOf({ at }: { at: string | null }) {
  if (at === null) return null;
  return (
    <p class="note">
      Repository figures as of <Moment at={at} />
    </p>
  );
}

/** Returns whether an entry of a list shows figures of its repository. */
function showsFigures({ record: { stars, lastCommitAt } }: ListedAgent): boolean {
  return stars !== null || lastCommitAt !== null;
}

/** Returns the time of one reading if all entries' figures were read on the same day; null otherwise. */
function sharedFiguresAt(agents: readonly ListedAgent[]): string | null {
  const read = agents.filter(showsFigures).map(({ figuresAt }) => figuresAt);
  const days = new Set(read.map((at) => at && formatDay(at)));
  return days.size === 1 ? (read[0] ?? null) : null;
}
