import { type AccountKind, accountsKnown } from '../../scoring/facts/accounts-known.ts';
import { Foreign, Moment, OutsideLink } from '../../ui/text.tsx';
import { ACCOUNT_NAMES } from '../score/account-names.ts';
import { accountAddress } from './account-address.ts';
import type { CreatorAccountsShown, ProvedAccount } from './creator-page-data.ts';

const COUNTED: readonly (readonly [stored: string, kind: AccountKind])[] = [
  ['repo_host', 'repoHost'],
  ['node_packages', 'nodePackages'],
  ['python_packages', 'pythonPackages'],
  ['professional_network', 'professionalNetwork'],
];
/** Told only where they are proved. */
const OTHERS = [
  ['social', 'Social account'],
  ['messaging', 'Messaging account'],
] as const;
const WORDS = { proved: 'proved', attested: 'by the MCP registry' } as const;

/** One row for each kind of account, and how it is known to be theirs. For a `dl`. */
export function AccountRows({ accounts }: { accounts: CreatorAccountsShown }) {
  const { proved, hasRegistryNamespace, handle } = accounts;
  const known = accountsKnown({ provedKinds: proved.map(({ kind }) => kind), hasRegistryNamespace });
  return (
    <>
      {COUNTED.map(([stored, kind]) => {
        const how = known[kind];
        return (
          <>
            <dt key={kind}>{ACCOUNT_NAMES[kind]}</dt>
            {how === null ? <dd class="muted">not proved</dd> : <dd>{WORDS[how]}</dd>}
            {how === 'attested' && (
              <dd class="whole note">
                Owns <Foreign>io.github.{handle}</Foreign> in the MCP registry; not verified here
              </dd>
            )}
            <Proofs accounts={proved.filter((each) => each.kind === stored)} />
          </>
        );
      })}
      {OTHERS.map(([stored, name]) => {
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
          <OutsideLink href={accountAddress(account)}>{account.handle}</OutsideLink> on{' '}
          <Foreign>{account.host}</Foreign>, checked <Moment at={account.checkedAt} />
        </dd>
      ))}
    </>
  );
}
