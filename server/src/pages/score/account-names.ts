import type { AccountKind } from '../../scoring/facts/accounts-known.ts';

/** What people call a kind of account that the score counts. */
export const ACCOUNT_NAMES: Readonly<Record<AccountKind, string>> = {
  repoHost: 'Repository host',
  nodePackages: 'npm',
  pythonPackages: 'PyPI',
  professionalNetwork: 'Professional network',
};
