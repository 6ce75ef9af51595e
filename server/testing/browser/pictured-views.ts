/**
 * The 36 views with stored pictures: each kind of public page once, each section of the console with content, each page
 * that decides on money, keys or names, pages shown only once, and one failure page each of the public site and the
 * console. Empty, rejected and filtered states have no picture; layout, console messages and accessibility are checked
 * for every view.
 */
export const PICTURED_VIEWS: ReadonlySet<string> = new Set([
  'home',
  'search',
  'agent',
  'warning',
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
