import { Foreign, formatConfidence, formatTrust, Moment } from '../../ui/text.tsx';
import { TrustLine } from '../../ui/trust-line.tsx';
import type { CreatorCard, FormerCreator, ProvedAccount } from './creator-page-data.ts';

const KINDS: readonly (readonly [kind: string, name: string])[] = [
  ['repo_host', 'Repository host'],
  ['node_packages', 'npm'],
  ['python_packages', 'PyPI'],
  ['professional_network', 'Professional network'],
  ['social', 'Social account'],
  ['messaging', 'Messaging account'],
];
/** What the score counts; the others are told where they are proved. */
const COUNTED = 4;

interface CreatorSectionProps {
  creator: CreatorCard;
  /** Whose it was before, latest first. */
  former?: readonly FormerCreator[];
}

/** Who made it: a score of its own kind, the accounts proved to be theirs, and whose it was before. */
export function CreatorSection({ creator, former = [] }: CreatorSectionProps) {
  const { path, text, handle, trust, confidence, lowerBound } = creator;
  return (
    <section class="card" aria-labelledby="creator">
      <h2 id="creator">Creator</h2>
      <p>
        <a href={path}>
          <Foreign>{text}</Foreign>
        </a>{' '}
        <span class="chip tag">{creator.verified ? 'verified' : 'not verified'}</span>
      </p>
      {trust !== null && lowerBound !== null && (
        <TrustLine trust={trust} lowerBound={lowerBound} compact={true} />
      )}
      <dl>
        {text !== handle && (
          <>
            <dt>Handle</dt>
            <dd>
              <Foreign>@{handle}</Foreign>
            </dd>
          </>
        )}
        <dt>Creator's trust</dt>
        <dd>{trust === null ? <span class="muted">no score yet</span> : formatTrust(trust)}</dd>
        <dt>Confidence</dt>
        <dd>
          {confidence === null ? <span class="muted">no score yet</span> : formatConfidence(confidence)}
        </dd>
        <ProvedRows proved={creator.proved} />
        {former.map((each) => (
          <Former key={each.path} former={each} />
        ))}
      </dl>
    </section>
  );
}

function Former({ former: { path, text, until } }: { former: FormerCreator }) {
  return (
    <>
      <dt>Before</dt>
      <dd>
        <a href={path}>
          <Foreign>{text}</Foreign>
        </a>
      </dd>
      <dd class="whole note">
        until <Moment at={until} />
      </dd>
    </>
  );
}

/** One row for each kind of account, proved or not, with the day of the last check. For a `dl`. */
export function ProvedRows({ proved }: { proved: readonly ProvedAccount[] }) {
  const shown = KINDS.filter(([kind], place) => place < COUNTED || proved.some((each) => each.kind === kind));
  return (
    <>
      {shown.map(([kind, name]) => {
        const accounts = proved.filter((each) => each.kind === kind);
        return (
          <>
            <dt key={kind}>{name}</dt>
            {accounts.length === 0 ? <dd class="muted">not proved</dd> : <dd>proved</dd>}
            {accounts.map((account) => (
              <Proof key={account.handle} account={account} />
            ))}
          </>
        );
      })}
    </>
  );
}

function Proof({ account: { host, handle, checkedAt } }: { account: ProvedAccount }) {
  return (
    <dd class="whole note">
      <Foreign>{handle}</Foreign> on <Foreign>{host}</Foreign>, checked <Moment at={checkedAt} />
    </dd>
  );
}
