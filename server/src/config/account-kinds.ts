/** What an account is on: the kinds that a person can link. */
export const ACCOUNT_KINDS = [
  'repo_host',
  'node_packages',
  'python_packages',
  'professional_network',
  'social',
  'messaging',
] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];
