import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import type { LastCheck } from '../../../intake/refresh/store-reading.ts';
import { findClaimsOf } from '../../../ownership/proofs/decide-claim.ts';
import { presentClaim } from '../../../ownership/proofs/linked-accounts.presenter.ts';
import { ExternalLink, Fact, ForeignText } from '../../components/formatting.tsx';
import { accountClaimPath } from '../../components/owner-steps.tsx';
import { Breadcrumb, DateTime, Notice } from '../frame/console-document.tsx';
import type { ConsoleDependencies, Visit } from '../frame/console-router.ts';
import { ListingSteps, stepPath } from './listing-steps.tsx';

/** Account that owns a listing's repository, and the state of its proof. */
export interface RepositoryOwner {
  host: string;
  handle: string;
  /** True if this server can check accounts on this host. */
  isCheckable: boolean;
  /** Visitor's link to the account; null before there is one. */
  link: { id: string; state: 'pending' | 'proved' | 'lapsed' } | null;
}

interface ClaimViewProps {
  agent: ListedAgent;
  /** Owner of the repository; null if its URL names none. */
  owner: RepositoryOwner | null;
  /** Result of the last check of the repository. */
  look: LastCheck;
  /** Completed action that this page confirms; null for none. */
  done: 'registered' | 'taken' | 'proved' | null;
}

/** Renders the second step of a registration, which is optional: proving the account that owns the repository. */
export function ClaimView({ agent, owner, look, done }: ClaimViewProps) {
  const { agentId, name, verified, repositoryUrl } = agent.record;
  return (
    <>
      <Breadcrumb href="/console/agents">Agents</Breadcrumb>
      <h1>
        Claim <ForeignText>{name}</ForeignText>
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
        <RepositoryCheckCard look={look} repositoryUrl={repositoryUrl} />
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
        <ForeignText>{record.name}</ForeignText>
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

function Proof({ agentId, owner }: { agentId: string; owner: RepositoryOwner | null }) {
  if (owner === null) return <p>The address of this repository contains no account that you could prove.</p>;
  const { host, handle } = owner;
  return (
    <>
      <dl>
        <Fact name="Account">
          <ForeignText>{handle}</ForeignText> on {host}
        </Fact>
      </dl>
      <WayToProve agentId={agentId} owner={owner} />
    </>
  );
}

function WayToProve({ agentId, owner }: { agentId: string; owner: RepositoryOwner }) {
  const { host, handle, isCheckable: isReadable, link } = owner;
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

/**
 * Shows the last check of the repository; if it failed, also when the next check is due. Until the first successful
 * check, the score uses what the owner entered.
 */
function RepositoryCheckCard({ look, repositoryUrl }: { look: LastCheck; repositoryUrl: string }) {
  return (
    <section class="card" aria-labelledby="repository">
      <h2 id="repository">The repository</h2>
      <p>
        <ExternalLink href={repositoryUrl}>{repositoryUrl}</ExternalLink>
      </p>
      <p>
        <CheckState look={look} />
      </p>
    </section>
  );
}

function CheckState({ look }: { look: LastCheck }) {
  if (look.kind === 'unreadable')
    return (
      <>
        We have not checked this repository yet. On this server, its operator starts these checks. Until then
        the score uses what you entered.
      </>
    );
  if (look.kind === 'waiting')
    return (
      <>
        We have not checked this repository yet. The check usually runs within an hour. Until then the score
        uses what you entered.
      </>
    );
  const next = look.isDue ? (
    'We will check it again soon.'
  ) : (
    <>
      We will check it again at <DateTime at={look.nextCheckAt} /> (UTC).
    </>
  );
  const at = <DateTime at={look.checkedAt} />;
  if (look.kind === 'read') return <>Checked on its host at {at} (UTC). The score uses what we found.</>;
  if (look.kind === 'missing')
    return (
      <>
        At {at} (UTC) its host had no public repository with this name. Make it public, or register its new
        address. {next}
      </>
    );
  return look.wasRead ? (
    <>
      The check at {at} (UTC) failed. The score still uses the previous check. {next}
    </>
  ) : (
    <>
      We have not checked this repository yet: its host did not answer at {at} (UTC). {next}
    </>
  );
}

/** Open claims in the API's format. */
export type ShownClaims = readonly ReturnType<typeof presentClaim>[];

/** Reads the open claims that the visitor has made, and those that others have made on the visitor's listings. */
export async function loadWaitingClaims(
  { database }: ConsoleDependencies,
  { accountId }: Visit,
): Promise<ShownClaims> {
  const claims = await findClaimsOf(database, accountId);
  return claims.map((claim) => presentClaim(claim, accountId));
}

/** Shows each open claim with the reason why it is not decided; renders nothing if there are no claims. */
export function WaitingClaims({ claims }: { claims: ShownClaims }) {
  if (claims.length === 0) return null;
  return (
    <section class="card" aria-labelledby="claims">
      <h2 id="claims">Claims waiting for a decision</h2>
      <p>
        The ids that the host shows do not tell who owns these repositories. A later reading of the host, or
        the operator, decides.
      </p>
      <ul class="rows entries">
        {claims.map(({ id, agentId, host, repository, claimedBy, isYours, reason }) => (
          <li key={id}>
            <a href={`/a/id/${agentId}`}>
              <ForeignText>{`${host}/${repository}`}</ForeignText>
            </a>
            : {isYours ? 'claimed by you' : 'yours, claimed by another account'} as{' '}
            <ForeignText>{claimedBy}</ForeignText>; {reason}.
          </li>
        ))}
      </ul>
    </section>
  );
}
