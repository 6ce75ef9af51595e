import type { FurnishedConsole } from './furnish-console.ts';

/** A page of the console in one state, and whose it is. */
export interface ConsolePage {
  name: string;
  who: 'owner' | 'newcomer';
  path(world: FurnishedConsole): string;
}

const page = (
  name: string,
  path: string | ConsolePage['path'],
  who: ConsolePage['who'] = 'owner',
): ConsolePage => ({
  name,
  who,
  path: typeof path === 'string' ? () => path : path,
});

/** An address of every page of the console in the furnished world, and of those that look different when they are empty. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  page('overview', '/console'),
  page('usage', '/console/usage'),
  page(
    'usage-filtered',
    '/console/usage?from=2026-11-10&to=2026-11-16&operation=agent_score&source=included',
  ),
  page('receipts', '/console/receipts'),
  page('receipt', (world) => `/console/receipts/${world.settledId}`),
  page('receipt-failed', (world) => `/console/receipts/${world.failedId}`),
  page('keys', '/console/keys'),
  page('keys-revoked', '/console/keys?state=revoked&done=revoked'),
  page('key-new', '/console/keys/new'),
  page('key-revoke', (world) => `/console/keys/${world.keyId}/revoke`),
  page('key-replace', (world) => `/console/keys/${world.keyId}/replace`),
  page('register', '/console/register'),
  page('accounts', '/console/accounts'),
  page('account-proved', (world) => `/console/accounts/${world.provedLinkId}`),
  page('account-pending', (world) => `/console/accounts/${world.pendingLinkId}`),
  page('account-remove', (world) => `/console/accounts/${world.provedLinkId}/remove`),
  page('handle', '/console/handle'),
  page('children', '/console/children'),
  page('plan', '/console/plan'),
  page('overage-on', '/console/plan/overage?cap=1200'),
  page('overage-off', '/console/plan/overage?enabled=no'),
  page('overage-wrong', '/console/plan/overage?cap=9000000'),
  page('session', '/console/session'),
  page('everywhere', '/console/session/everywhere'),
  page('missing', '/console/nothing-here'),
  page('handle-first', '/console/handle', 'newcomer'),
  page('overview-empty', '/console?handle=later', 'newcomer'),
  page('usage-empty', '/console/usage', 'newcomer'),
  page('receipts-empty', '/console/receipts', 'newcomer'),
  page('keys-empty', '/console/keys', 'newcomer'),
  page('register-unnamed', '/console/register', 'newcomer'),
  page('accounts-empty', '/console/accounts', 'newcomer'),
  page('children-empty', '/console/children', 'newcomer'),
  page('plan-free', '/console/plan', 'newcomer'),
];
