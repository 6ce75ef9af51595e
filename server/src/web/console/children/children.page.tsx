import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import type { ShownClaim } from '../../../directory/own-agents/child-claims.ts';
import { ForeignText, formatScore, Moment, toWords } from '../../components/formatting.tsx';
import { claimPath } from '../../components/owner-steps.tsx';
import { DoneNotice } from '../frame/console-document.tsx';
import { ActionButton } from '../frame/fields.tsx';
import { CursorLinks, hrefWith } from '../frame/filters.tsx';

/** A child's claim that it is built on a parent, with the listings of both. */
export interface LinkedClaim {
  claim: ShownClaim;
  child: ListedAgent;
  parent: ListedAgent;
}

interface ChildListProps {
  claims: readonly LinkedClaim[];
  /** True to show only acknowledged claims, false for only unacknowledged ones; null for all. */
  acknowledged: boolean | null;
  nextCursor: string | null;
  isFirst: boolean;
  query: URLSearchParams;
}

const LIST = '/console/children';
const DONE = {
  acknowledged: 'Acknowledged. Your listing now passes on its full share of trust.',
  withdrawn: 'Withdrawn. The link is a claim again, and passes on half the trust.',
};
const CHOICES = [
  ['', 'all', null],
  ['no', 'claimed', false],
  ['yes', 'acknowledged', true],
] as const;

/** Shows listings of others that name one of the account's listings as their parent. */
export function ChildList({ claims, acknowledged, nextCursor, isFirst, query }: ChildListProps) {
  const asked = CHOICES.find(([, , value]) => value === acknowledged)?.[0] ?? '';
  return (
    <>
      <h1>Built on your work</h1>
      <p class="lead">
        Agents and skills by others that name yours as their parent. Unacknowledged links pass on half the
        trust.
      </p>
      <DoneNotice query={query} sentences={DONE} />
      {(claims.length > 0 || asked !== '') && <Choices asked={asked} />}
      <section class="card" aria-label="Children">
        {claims.length === 0 ? (
          <Nothing asked={asked} />
        ) : (
          <ul class="rows entries">
            {claims.map((linked) => (
              <ChildRow key={linked.claim.childId} linked={linked} />
            ))}
          </ul>
        )}
      </section>
      <CursorLinks
        first={{ text: 'First page', href: isFirst ? null : hrefWith(LIST, { acknowledged: asked }) }}
        next={{
          text: 'Next',
          href: nextCursor && hrefWith(LIST, { acknowledged: asked, cursor: nextCursor }),
        }}
      />
    </>
  );
}

function Choices({ asked }: { asked: string }) {
  return (
    <nav class="chips choices" aria-label="Filter">
      {CHOICES.map(([value, text]) => (
        <a
          key={value}
          href={hrefWith(LIST, { acknowledged: value })}
          aria-current={value === asked ? 'true' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}

function Nothing({ asked }: { asked: string }) {
  if (asked !== '') return <p>No links are {asked === 'yes' ? 'acknowledged' : 'unacknowledged'}.</p>;
  return (
    <p>
      No listing names an agent or skill of yours as its parent yet. Once you have{' '}
      <a href="/console/register">registered one</a>, others can name it by its id.
    </p>
  );
}

function ChildRow({ linked: { claim, child, parent } }: { linked: LinkedClaim }) {
  const { acknowledgedAt, relation, trustEquityFlow, parentVerified } = claim;
  return (
    <li>
      <div>
        <h2>
          <a href={child.path}>
            <ForeignText>{child.record.name}</ForeignText>
          </a>{' '}
          <span class={acknowledgedAt === null ? 'chip tag' : 'chip high'}>
            {acknowledgedAt === null ? 'claimed' : 'acknowledged'}
          </span>
        </h2>
        <p class="muted small">
          by{' '}
          <a href={child.creator.path}>
            <ForeignText>{child.creator.text}</ForeignText>
          </a>{' '}
          · {toWords(relation)}{' '}
          <a href={parent.path}>
            <ForeignText>{parent.record.name}</ForeignText>
          </a>
          <br />
          inherits {formatScore(trustEquityFlow)} trust
          {acknowledgedAt !== null && (
            <>
              {' '}
              ·{' '}
              <span class="together">
                acknowledged <Moment at={acknowledgedAt} />
              </span>
            </>
          )}
        </p>
      </div>
      <AcknowledgeActions
        claim={claim}
        name={child.record.name}
        parent={parent}
        isVerified={parentVerified}
      />
    </li>
  );
}

interface JudgementProps {
  claim: ShownClaim;
  name: string;
  parent: ListedAgent;
  /** True if the account has proved that it owns the parent's repository. */
  isVerified: boolean;
}

function AcknowledgeActions({ claim, name, parent, isVerified }: JudgementProps) {
  const path = `${LIST}/${claim.record.agentId}`;
  if (!isVerified) {
    return (
      <p class="actions small">
        <a href={claimPath(parent.record.repositoryUrl, parent.record.agentId)}>
          Prove that you own {claim.parentRepository}
        </a>{' '}
        to acknowledge.
      </p>
    );
  }
  return (
    <div class="row actions">
      {claim.acknowledgedAt === null ? (
        <ActionButton action={`${path}/acknowledge`} class="primary" label={`Acknowledge ${name}`}>
          Acknowledge
        </ActionButton>
      ) : (
        <ActionButton action={`${path}/withdraw`} label={`Withdraw the acknowledgement of ${name}`}>
          Withdraw
        </ActionButton>
      )}
    </div>
  );
}
