import type { Page } from 'playwright-core';
import type { FurnishedConsole } from './furnish-console.ts';

/** Page of the console in one state, and the person who sees it. */
export interface ConsolePage {
  name: string;
  who: 'owner' | 'limited' | 'newcomer' | 'returning';
  path(world: FurnishedConsole): string;
  /** Runs actions on the page before it is checked. */
  act?: (page: Page) => Promise<void>;
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

/** Sends the owner's form at a path with these fields, bypassing the browser's validation. */
const sent = (name: string, path: string, button: string, fields: Record<string, string>): ConsolePage => ({
  ...page(name, path),
  async act(browser) {
    await browser.evaluate(() => {
      for (const form of Array.from(document.forms)) form.noValidate = true;
    });
    for (const [id, text] of Object.entries(fields)) {
      if (text === UNCHECKED) await browser.uncheck(`#${id}`);
      else await browser.fill(`#${id}`, text);
    }
    const answered = browser.waitForEvent('load');
    await browser.getByRole('button', { name: button }).click();
    await answered;
  },
});
const UNCHECKED = 'unchecked';

/** All pages of the console with data, and those that look different without. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  page('overview', '/console'),
  page('run', '/console/run'),
  sent('run-wrong', '/console/run', 'Run the call', { subject: 'nobody/nothing' }),
  page('usage', '/console/usage'),
  page('usage-filtered', '/console/usage?from=2026-11-10&to=2026-11-16&operation=agent_score&source=gifted'),
  page('usage-nothing', '/console/usage?operation=skill_score'),
  page('receipts', '/console/receipts'),
  page('receipts-found', '/console/receipts?q=changelog-agent&operation=agent_score&day=2026-11-20'),
  page('receipts-nothing', '/console/receipts?q=nothing-of-this-name&state=settled'),
  page('receipt', (world) => `/console/receipts/${world.settledId}`),
  page('receipt-failed', (world) => `/console/receipts/${world.failedId}`),
  page('keys', '/console/keys'),
  page('keys-revoked', '/console/keys?state=revoked&done=revoked'),
  page('key-new', '/console/keys/new'),
  page('key-limits', (world) => `/console/keys/${world.keyId}/limits`),
  page('key-revoke', (world) => `/console/keys/${world.keyId}/revoke`),
  page('key-replace', (world) => `/console/keys/${world.keyId}/replace`),
  page('agents', '/console/agents'),
  page('agents-refreshed', (world) => `/console/agents?done=scored&id=${world.listedId}`),
  page('register', '/console/register'),
  page('registered', (world) => `/console/agents/${world.listedId}/claim?done=taken`),
  page('claim', (world) => `/console/agents/${world.unclaimedId}/claim?done=registered`),
  page('badge', (world) => `/console/agents/${world.listedId}/badge?done=claimed`),
  page('accounts', '/console/accounts'),
  page('account-proved', (world) => `/console/accounts/${world.provedLinkId}`),
  page('account-lapsed', (world) => `/console/accounts/${world.lapsedLinkId}`),
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
  page('agents-empty', '/console/agents', 'newcomer'),
  page('register-unnamed', '/console/register', 'newcomer'),
  page('accounts-empty', '/console/accounts', 'newcomer'),
  page('children-empty', '/console/children', 'newcomer'),
  page('plan-free', '/console/plan', 'newcomer'),
  page('overview-held', '/console', 'limited'),
  page('receipt-held', (world) => `/console/receipts/${world.heldId}`, 'limited'),
  page('keys-full', '/console/keys', 'limited'),
  page('key-new-full', '/console/keys/new', 'limited'),
  page('account-expired', (world) => `/console/accounts/${world.expiredLinkId}`, 'limited'),
  page('children-unverified', '/console/children', 'limited'),
  page('plan-next', '/console/plan', 'limited'),
  page('sign-in-again', '/console/keys/new', 'returning'),
  sent('key-wrong', '/console/keys/new', 'Create the key', {
    name: '',
    scopes: UNCHECKED,
    expires: '2026-11-01',
  }),
  sent('register-wrong', '/console/register', 'Register', {
    repoHostUrl: 'https://elsewhere.example/owner/name with spaces',
    name: '',
    description: 'It sorts the mail of a small firm, and answers what it can.',
    tags: 'a, b, c, d, e, f, g, h, i',
    parentId: 'the planner',
  }),
  sent('account-wrong', '/console/accounts', 'Get a code', { handle: 'not a name' }),
  sent('handle-wrong', '/console/handle', 'Change the handle', { handle: 'two words' }),
  // Keep it last, because it creates a key that other pages would show.
  sent('key-made', '/console/keys/new', 'Create the key', { name: 'ci of the planner' }),
];
