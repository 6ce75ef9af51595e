import type { CreatorCard, ProvedAccount } from '../page-data.ts';
import { Foreign, formatScore, Moment } from './text.tsx';
import { TrustLine } from './trust-line.tsx';

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

/** Who made it: a score of its own kind, and the accounts proved to be theirs. */
export function CreatorSection({ creator }: { creator: CreatorCard }) {
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
        <dt>Handle</dt>
        <dd>
          <Foreign>@{handle}</Foreign>
        </dd>
        <dt>Trust, their own</dt>
        <dd>{trust === null ? <span class="muted">no score yet</span> : formatScore(trust)}</dd>
        <dt>Confidence</dt>
        <dd>{confidence === null ? <span class="muted">no score yet</span> : formatScore(confidence)}</dd>
        <ProvedRows proved={creator.proved} />
      </dl>
    </section>
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
            <dd>
              {accounts.length === 0 ? (
                <span class="muted">not proved</span>
              ) : (
                accounts.map((account) => <Proof key={account.handle} account={account} />)
              )}
            </dd>
          </>
        );
      })}
    </>
  );
}

function Proof({ account: { host, handle, checkedAt } }: { account: ProvedAccount }) {
  return (
    <>
      proved
      <span class="note">
        <Foreign>{handle}</Foreign> on <Foreign>{host}</Foreign>, checked <Moment at={checkedAt} />
      </span>
    </>
  );
}
