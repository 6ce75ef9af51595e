import { ACCOUNT_NAMES } from '../../../scoring/explanations/signal-labels.ts';
import { type AccountKind, knownAccounts } from '../../../scoring/facts/creator-identity.ts';
import {
  ExternalLink,
  ForeignText,
  formatConfidence,
  formatTrust,
  Moment,
} from '../../components/formatting.tsx';
import { NOT_ENOUGH_EVIDENCE, TrustLine } from '../../components/score-figures.tsx';
import type { CreatorCard, DisplayedCreatorAccounts, FormerCreator, ProvedAccount } from './creator.page.tsx';

const SCORED_KINDS: readonly (readonly [stored: string, kind: AccountKind])[] = [
  ['repo_host', 'repoHost'],
  ['node_packages', 'nodePackages'],
  ['python_packages', 'pythonPackages'],
  ['professional_network', 'professionalNetwork'],
];
/** Kinds of account that scores do not count. They have a row only if the creator has proved such an account. */
const OTHER_KINDS = [
  ['social', 'Social account'],
  ['messaging', 'Messaging account'],
] as const;
const WORDS = { proved: 'proved', attested: 'by the MCP registry' } as const;

/**
 * Shows a row for each kind of account, with the basis on which the account is known. Lists all kinds that scores count;
 * other kinds only if one is proved. Renders children of a `dl`.
 */
export function AccountRows({ accounts }: { accounts: DisplayedCreatorAccounts }) {
  const { proved, hasRegistryNamespace, handle } = accounts;
  const known = knownAccounts({ provedKinds: proved.map(({ kind }) => kind), hasRegistryNamespace });
  return (
    <>
      {SCORED_KINDS.map(([stored, kind]) => {
        const how = known[kind];
        return (
          <>
            <dt key={kind}>{ACCOUNT_NAMES[kind]}</dt>
            {how === null ? <dd class="muted">not proved</dd> : <dd>{WORDS[how]}</dd>}
            {how === 'attested' && (
              <dd class="whole note">
                Owns <ForeignText>io.github.{handle}</ForeignText> in the MCP registry; not verified here
              </dd>
            )}
            <Proofs accounts={proved.filter((each) => each.kind === stored)} />
          </>
        );
      })}
      {OTHER_KINDS.map(([stored, name]) => {
        const accountsOfKind = proved.filter((each) => each.kind === stored);
        return (
          accountsOfKind.length > 0 && (
            <>
              <dt key={stored}>{name}</dt>
              <dd>proved</dd>
              <Proofs accounts={accountsOfKind} />
            </>
          )
        );
      })}
    </>
  );
}

function Proofs({ accounts }: { accounts: readonly ProvedAccount[] }) {
  return (
    <>
      {accounts.map((account) => (
        <dd class="whole note" key={account.handle}>
          <ExternalLink href={profileUrl(account)}>{account.handle}</ExternalLink> on{' '}
          <ForeignText>{account.host}</ForeignText>, checked <Moment at={account.checkedAt} />
        </dd>
      ))}
    </>
  );
}

interface CreatorSectionProps {
  creator: CreatorCard;
  /** Former creators of the listing, latest first. */
  former?: readonly FormerCreator[];
}

/** Shows the creator of a listing or artifact with its own score and its accounts, and the former creators. */
export function CreatorSection({ creator, former = [] }: CreatorSectionProps) {
  const { path, text, handle, trust, confidence, lowerBound } = creator;
  return (
    <section class="card" aria-labelledby="creator">
      <h2 id="creator">Creator</h2>
      <p>
        <a href={path}>
          <ForeignText>{text}</ForeignText>
        </a>{' '}
        <span class="chip tag">{creator.verified ? 'verified' : 'not verified'}</span>
      </p>
      {trust !== null && lowerBound !== null && !creator.restsOnDefaults && (
        <TrustLine trust={trust} lowerBound={lowerBound} compact={true} />
      )}
      <dl>
        {text !== handle && (
          <>
            <dt>Handle</dt>
            <dd>
              <ForeignText>@{handle}</ForeignText>
            </dd>
          </>
        )}
        <dt>Creator's trust</dt>
        {trust === null || confidence === null || creator.restsOnDefaults ? (
          <dd class="muted">{trust === null ? 'no score yet' : NOT_ENOUGH_EVIDENCE.toLowerCase()}</dd>
        ) : (
          <>
            <dd>{formatTrust(trust)}</dd>
            <dt>Confidence</dt>
            <dd>{formatConfidence(confidence)}</dd>
          </>
        )}
        <AccountRows accounts={creator} />
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
          <ForeignText>{text}</ForeignText>
        </a>
      </dd>
      <dd class="whole note">
        until <Moment at={until} />
      </dd>
    </>
  );
}

/** Returns the profile URL of a proved account; null if its host has no known URL format. */
function profileUrl({ kind, host, handle }: Pick<ProvedAccount, 'kind' | 'host' | 'handle'>): string | null {
  const name = encodeURIComponent(handle);
  if (host === 'npmjs.com') return `https://www.npmjs.com/~${name}`;
  if (host === 'pypi.org') return `https://pypi.org/user/${name}/`;
  return kind === 'repo_host' && host.includes('.') ? `https://${host}/${name}` : null;
}
