import type { AgentRecord } from '../../directory/agent-record.ts';
import { agentVerdict } from '../../directory/agent-verdict.ts';
import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import { restsOnDefaults } from '../../scoring/verdict/verdict.ts';
import type { ShownBadge } from '../../ui/badge.tsx';
import { BadgeCard } from '../../ui/badge-card.tsx';
import { Foreign } from '../../ui/text.tsx';
import { Crumbs } from '../frame/crumbs.tsx';
import { DoneNotice } from '../frame/notice.tsx';
import { ListingSteps, stepPath } from './listing-steps.tsx';

interface BadgeViewProps {
  agent: ListedAgent;
  site: string;
  query: URLSearchParams;
}

const DONE = { claimed: 'Claimed. The listing is now verified, which raises its score.' };

/** The last step of a listing: its badge, to paste where its users look. */
export function BadgeView({ agent: { record, path }, site, query }: BadgeViewProps) {
  const { agentId, name, type, verified } = record;
  return (
    <>
      <Crumbs href="/console/agents">Agents</Crumbs>
      <h1>
        Badge of <Foreign>{name}</Foreign>
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

function badgeOf(record: AgentRecord): ShownBadge | null {
  const { trust, confidence } = record;
  const verdict = agentVerdict(record);
  if (verdict === null || trust === null || confidence === null) return null;
  const { state, reasons } = verdict;
  return { trust, confidence, verdict: state, restsOnDefaults: restsOnDefaults(confidence, reasons) };
}
