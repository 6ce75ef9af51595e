/**
 * The 35 views whose pictures are kept. The rule: every kind of public page once, as most people meet it; every section of
 * the console with something in it; every page on which money, a key or a name is decided; what is shown once and never
 * again; and one page of failure on each side. Empty, refused and filtered states have no picture: that they are laid out
 * well, quiet and accessible is judged for every view.
 */
export const KEPT_VIEWS: ReadonlySet<string> = new Set([
  'home',
  'search',
  'agent',
  'artifact',
  'creator',
  'social',
  'compare',
  'method',
  'docs',
  'docs-endpoint',
  'docs-search',
  'pricing',
  'sign-in',
  'missing',
  'console-overview',
  'console-usage',
  'console-receipts',
  'console-receipt',
  'console-keys',
  'console-key-new',
  'console-key-made',
  'console-key-replace',
  'console-key-revoke',
  'console-agents',
  'console-register',
  'console-accounts',
  'console-account-pending',
  'console-account-proved',
  'console-account-remove',
  'console-handle',
  'console-children',
  'console-plan',
  'console-overage-on',
  'console-session',
  'console-failed',
]);
