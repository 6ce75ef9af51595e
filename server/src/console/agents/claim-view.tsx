import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import type { LastLook } from '../../refresh/last-look.ts';
import { accountClaimPath } from '../../ui/claim-path.ts';
import { Fact, Foreign } from '../../ui/text.tsx';
import { Crumbs } from '../frame/crumbs.tsx';
import { Notice } from '../frame/notice.tsx';
import { ListingSteps, stepPath } from './listing-steps.tsx';
import { RepositoryLookCard } from './repository-look.tsx';

/** The account that holds a listing's repository, and how far its proof is. */
export interface Owner {
  host: string;
  handle: string;
  /** This server can read accounts there. */
  isReadable: boolean;
  /** The visitor's link to it; null before there is one. */
  link: { id: string; state: 'pending' | 'proved' | 'lapsed' } | null;
}

interface ClaimViewProps {
  agent: ListedAgent;
  /** Null where the address of the repository names none. */
  owner: Owner | null;
  look: LastLook;
  /** What has just been done; null for nothing. */
  done: 'registered' | 'taken' | 'proved' | null;
}

/** The second step of a listing: the account that holds its repository is proved, or that is left for later. */
export function ClaimView({ agent, owner, look, done }: ClaimViewProps) {
  const { agentId, name, verified, repositoryUrl } = agent.record;
  return (
    <>
      <Crumbs href="/console/agents">Agents</Crumbs>
      <h1>
        Claim <Foreign>{name}</Foreign>
      </h1>
      <ListingSteps current="Claim" agentId={agentId} isClaimed={verified} />
      {done !== null && <Done agent={agent} done={done} />}
      <div class="grid even">
        <section class="card" aria-labelledby="claim">
          <h2 id="claim">{verified ? 'Claimed' : 'Prove that it is yours'}</h2>
          {verified ? <Claimed /> : <Proof agentId={agentId} owner={owner} />}
          <p class="row">
            <a class={verified ? 'button primary' : 'button'} href={stepPath(agentId, 'Badge')}>
              {verified ? 'Continue to the badge' : 'Skip to the badge'}
            </a>
          </p>
        </section>
        <RepositoryLookCard look={look} repositoryUrl={repositoryUrl} />
      </div>
      <p class="note">
        You can stop here and continue later from <a href="/console/agents">your agents</a>.
      </p>
    </>
  );
}

function Done({ agent: { record, path }, done }: Pick<ClaimViewProps, 'agent'> & { done: string }) {
  if (done === 'proved')
    return (
      <Notice>
        You have proved the account, but it does not own this repository. Prove the account that does.
      </Notice>
    );
  return (
    <Notice>
      <a href={path}>
        <Foreign>{record.name}</Foreign>
      </a>{' '}
      is listed as <code>{record.agentId}</code>
      {done === 'taken' && '. It was listed before and is now yours. Its history keeps its former creator'}.
    </Notice>
  );
}

function Claimed() {
  return <p>You have proved the account that owns the repository. The listing is verified.</p>;
}

const LINKED = {
  pending: 'You have a code for it. Publish the code there, then verify.',
  lapsed: 'Your proof of it has lapsed. Verify it again.',
  proved: 'You have proved it. Verify it again to include this listing.',
} as const;

function Proof({ agentId, owner }: { agentId: string; owner: Owner | null }) {
  if (owner === null) return <p>The address of this repository contains no account that you could prove.</p>;
  const { host, handle } = owner;
  return (
    <>
      <dl>
        <Fact name="Account">
          <Foreign>{handle}</Foreign> on {host}
        </Fact>
      </dl>
      <WayToProve agentId={agentId} owner={owner} />
    </>
  );
}

function WayToProve({ agentId, owner }: { agentId: string; owner: Owner }) {
  const { host, handle, isReadable, link } = owner;
  if (link !== null)
    return (
      <>
        <p>{LINKED[link.state]}</p>
        <p>
          <a class="button primary" href={`/console/accounts/${link.id}?for=${agentId}`}>
            Continue the proof
          </a>
        </p>
      </>
    );
  if (!isReadable)
    return (
      <p>
        This account owns the repository, but this server cannot check accounts on its host. Ask the operator
        to confirm that it is yours.
      </p>
    );
  return (
    <>
      <p>
        This account owns the repository. Prove that it is yours, and the listing is verified. Until then it
        stays listed under your handle, as not claimed.
      </p>
      <p>
        <a class="button primary" href={accountClaimPath({ host, handle }, agentId)}>
          Claim it
        </a>
      </p>
    </>
  );
}
