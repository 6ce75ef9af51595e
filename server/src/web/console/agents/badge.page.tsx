import type { AgentRecord } from '../../../directory/agents/agent-record.ts';
import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import { isDefaultScore } from '../../../scoring/verdict/verdict.ts';
import { BadgeCard, type BadgeFigures } from '../../components/badge-drawing.tsx';
import { ForeignText } from '../../components/formatting.tsx';
import { Breadcrumb, DoneNotice } from '../frame/console-document.tsx';
import { ListingSteps, stepPath } from './listing-steps.tsx';

interface BadgeViewProps {
  agent: ListedAgent;
  site: string;
  query: URLSearchParams;
}

const DONE = { claimed: 'Claimed. The listing is now verified, which raises its score.' };

/** Renders the last step of a registration: the listing's badge to paste. */
export function BadgeView({ agent: { record, path }, site, query }: BadgeViewProps) {
  const { agentId, name, type, verified } = record;
  return (
    <>
      <Breadcrumb href="/console/agents">Agents</Breadcrumb>
      <h1>
        Badge of <ForeignText>{name}</ForeignText>
      </h1>
      <ListingSteps current="Badge" agentId={agentId} isClaimed={verified} />
      <DoneNotice query={query} sentences={DONE} />
      <p class="lead">Paste it into the README, so that visitors of the repository see its verdict.</p>
      <BadgeCard type={type} id={agentId} score={badgeOf(record)} publicPath={path} site={site} />
      <p class="row">
        <a class="button" href={path}>
          View its page
        </a>
        {!verified && <a href={stepPath(agentId, 'Claim')}>Claim it first</a>}
      </p>
    </>
  );
}

function badgeOf(record: AgentRecord): BadgeFigures | null {
  const { trust, confidence } = record;
  const verdict = agentVerdict(record);
  if (verdict === null || trust === null || confidence === null) return null;
  const { state, reasons } = verdict;
  return { trust, confidence, verdict: state, restsOnDefaults: isDefaultScore(confidence, reasons) };
}
