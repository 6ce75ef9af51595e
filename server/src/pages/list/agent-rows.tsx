import { agentVerdict } from '../../directory/agent-verdict.ts';
import type { EntryMark, ListedAgent } from '../../directory/lists/link-agents.ts';
import { licenseClass } from '../../scoring/embedded/license-class.ts';
import { REASONS } from '../../scoring/verdict/reasons.ts';
import { formatActivity } from '../../ui/activity.ts';
import { Foreign, formatCompact, formatDay } from '../../ui/text.tsx';
import { figuresText, NOT_ENOUGH } from '../../ui/trust-figures.tsx';
import { TrustLine } from '../../ui/trust-line.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import { PICK } from '../compare/compare-query.ts';
import { FiguresAsOf, sharedFiguresAt, showsFigures } from './figures-as-of.tsx';
import { listAddress } from './page-query.ts';

interface AgentRowsProps {
  agents: readonly ListedAgent[];
  start?: number;
  /** Of the entries' headings: one below the heading that the list stands under. */
  level?: 2 | 3;
  /** With a box each, for the form around them that compares what is ticked. */
  pick?: boolean;
  /** Who made each; not on a page where all are of one. */
  showsCreator?: boolean;
}

/** Tags of an entry that a row has room for. */
const MOST_TAGS = 4;

/** Entries of a list, each with what somebody would choose it by, its verdict and its two scores. */
export function AgentRows({
  agents,
  start = 1,
  level = 2,
  pick = false,
  showsCreator = true,
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
            showsDay={sharedAt === null}
          />
        ))}
      </ol>
    </>
  );
}

type AgentRowProps = Required<Pick<AgentRowsProps, 'level' | 'pick' | 'showsCreator'>> & {
  agent: ListedAgent;
  /** Whether it states itself when its figures were read. */
  showsDay: boolean;
};

function AgentRow({ agent, level, pick, showsCreator, showsDay }: AgentRowProps) {
  const { record, path, creator, mark } = agent;
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <li>
      <div>
        <div class="name">
          <Title>
            <a href={path}>
              <Foreign>{record.name}</Foreign>
            </a>
          </Title>
          {showsCreator && (
            <span class="muted small">
              {' '}
              by{' '}
              <a href={creator.path}>
                <Foreign>{creator.text}</Foreign>
              </a>
            </span>
          )}
        </div>
        {record.description !== '' && (
          <p class="clamp one">
            <Foreign>{record.description}</Foreign>
          </p>
        )}
        {mark !== null && <Mark mark={mark} />}
        <p class="meta">
          {factsOf(agent, showsDay).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        <p class="meta">
          <span>{record.type}</span>
          <a href={listAddress({ category: record.category })}>{record.category}</a>
          {[...new Set(record.tags)].slice(0, MOST_TAGS).map((tag) => (
            <a key={tag} href={listAddress({ tag })}>
              <Foreign>#{tag}</Foreign>
            </a>
          ))}
        </p>
      </div>
      <div class="figures">
        {pick && (
          <label class="pick">
            <input type="checkbox" name={PICK} value={record.agentId} /> compare
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

/** That there is a better entry than this one, and where. */
function Mark({ mark: { kind, stated, of } }: { mark: EntryMark }) {
  return (
    <p class="small">
      {MARK_WORDS[kind][stated ? 'stated' : 'inferred']}{' '}
      <a href={of.path}>
        <Foreign>{of.text}</Foreign>
      </a>
    </p>
  );
}

/** What was observed against it first, then how much it is used and worked on, its licence, and whether its owner is here. */
function factsOf(agent: ListedAgent, showsDay: boolean): string[] {
  const { record, figuresAt, readAt } = agent;
  const { stars, lastCommitAt, license, verified } = record;
  const reasons = agentVerdict(record)?.reasons ?? [];
  const warnings = reasons.filter((code) => REASONS[code].kind === 'warning');
  const isFetched = showsFigures(agent);
  return [
    ...warnings.map((code) => REASONS[code].phrase),
    ...(stars === null ? [] : [`${formatCompact(stars)} ${stars === 1 ? 'star' : 'stars'}`]),
    ...(lastCommitAt === null ? [] : [formatActivity(lastCommitAt, readAt)]),
    ...(showsDay && isFetched && figuresAt !== null ? [`as of ${formatDay(figuresAt)}`] : []),
    ...(isFetched ? [] : ['repository not fetched yet']),
    ...(license === null ? [] : [licenceWords(license)]),
    verified ? 'owner verified' : 'not claimed',
  ];
}

/** Longer than the identifiers that people know. */
const LONG_NAME = 20;

/** A licence by its name, where it has one that says something. */
function licenceWords(license: string): string {
  const kind = licenseClass(license);
  if (kind === 'none') return 'no licence';
  const isName = kind === 'osi' || (license !== 'NOASSERTION' && license.length <= LONG_NAME);
  return isName ? license : 'other licence';
}

function Figures({ agent: { record, lowerBound } }: { agent: ListedAgent }) {
  const { trust, confidence } = record;
  const verdict = agentVerdict(record);
  if (trust === null || confidence === null) return <span>{figuresText(null)}</span>;
  const figures = figuresText({ trust, confidence, verdict });
  const isTold = figures !== NOT_ENOUGH && lowerBound !== null;
  return (
    <>
      {verdict !== null && <VerdictMark state={verdict.state} />}
      {isTold && <TrustLine trust={trust} lowerBound={lowerBound} compact={true} />}
      <span>{figures}</span>
    </>
  );
}
