import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { openBrowser, type TestBrowser } from '../../../testing/browser/chromium.ts';
import { openTestSite, type TestSite } from '../../../testing/browser/test-site.ts';
import { watchPage } from '../../../testing/browser/watch-page.ts';
import { makeListing, PLAN_BOOK } from '../../../testing/factories.ts';
import { type StandInHost, startStandInHost } from '../../../testing/stand-ins/stand-in-host.ts';
import { createAccount } from '../../accounts/account-lifecycle.ts';
import { createSignInLink, signInUrl } from '../../accounts/sign-in/sign-in-link.ts';

let host: StandInHost;
let site: TestSite;
let chromium: TestBrowser;
let troubles: { take(): string[] } = { take: () => [] };
let page: Page;

beforeAll(async () => {
  host = await startStandInHost();
  host.world.showsAnyRepository = true;
  [site, chromium] = await Promise.all([openTestSite({ HOST_API_URLS: host.environment }), openBrowser()]);
});
afterEach(async () => {
  expect(troubles.take()).toEqual([]);
  await page.context().close();
});
afterAll(async () => {
  await chromium.close();
  await site.close();
  await host.close();
});

/** Creates an account and signs in by link, in a separate browser. */
async function signIn(handle: string, options: BrowserContextOptions = {}): Promise<string> {
  const context = await chromium.browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
  page = await context.newPage();
  if (options.javaScriptEnabled !== false) troubles = await watchPage(page, site.url);
  const { id } = await createAccount(site.database, PLAN_BOOK, { handle, plan: 'free' });
  await page.goto(signInUrl(site.url, await createSignInLink(site.database, id)));
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(new URL(page.url()).pathname).toBe('/console');
  return id;
}

async function makeKey(name: string): Promise<string> {
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('link', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('lineage:read').check();
  await page.getByRole('button', { name: 'Create the key' }).click();
  return textOf('.secret code');
}

async function call(secret: string, subject: string): Promise<number> {
  const answer = await fetch(`${site.url}/api/svc/operations/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ operation: 'agent_score', subject, idempotency_key: crypto.randomUUID() }),
  });
  return answer.status;
}

async function textOf(selector: string): Promise<string> {
  return (await page.locator(selector).textContent()) ?? '';
}

async function keysOf(accountId: string): Promise<number> {
  const [row] = await site.database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM access_key WHERE account_id = $1',
    [accountId],
  );
  return row?.count ?? 0;
}

it('a person goes from a sign-in link to a key, a call, its receipt, and revoking the key', async () => {
  const { repository } = await makeListing(site.database);
  const accountId = await signIn('first-caller', { permissions: ['clipboard-read', 'clipboard-write'] });
  expect(await textOf('main')).toContain('25 of 25 left');

  const secret = await makeKey('laptop');
  await page.getByRole('button', { name: 'Copy the secret' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  expect(await call(secret, repository)).toBe(200);
  // The browser sends the form again, without creating a second key.
  await page.reload();
  expect(new URL(page.url()).search).toBe('?done=made-before');
  expect(await keysOf(accountId)).toBe(1);
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('link', { name: 'Receipts', exact: true }).click();
  await page.getByRole('link', { name: 'agent score' }).click();
  expect(await textOf('main')).toMatch(/Settled.*laptop.*1 call/s);
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('link', { name: /^Revoke laptop/ }).click();
  expect(await call(secret, repository)).toBe(200);
  await page.getByRole('button', { name: 'Revoke the key' }).click();

  expect(await page.locator('main').getByRole('status').first().textContent()).toContain(
    'permanently revoked',
  );
  expect(await call(secret, repository)).toBe(401);
});

itAtNight('an agent is registered with the keyboard alone, after an error that gets the focus', async () => {
  await signIn('keyboard-only');
  const focused = () => page.evaluate(() => document.activeElement?.id ?? '');
  const tabTo = async (id: string) => {
    for (let step = 0; step < 40 && (await focused()) !== id; step += 1) await page.keyboard.press('Tab');
    expect(await focused()).toBe(id);
  };
  const fill = async (id: string, text: string) => {
    await tabTo(id);
    await page.keyboard.type(text);
  };
  await page.goto(`${site.url}/console/register`);
  await fill('repoHostUrl', 'https://elsewhere.example/keyboard-only/robot');
  await fill('category', 'aut');
  await fill('name', 'Robot');
  await fill('description', 'Types for itself.');
  await fill('tags', 'keys, robots');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#repoHostUrl-error');

  expect(await focused()).toBe('repoHostUrl');
  expect(await page.locator('#category').inputValue()).toBe('automation');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('https://github.com/keyboard-only/robot');
  await page.keyboard.press('Enter');
  await page.waitForURL(/AGT-\w{8}\/claim\?done=registered$/);
  await page.getByRole('status').getByRole('link', { name: 'Robot' }).focus();
  await page.keyboard.press('Enter');

  await page.waitForURL(`${site.url}/a/keyboard-only/robot`);
  expect(await textOf('h1')).toBe('Robot');
  expect(await textOf('main')).toMatch(/not verified/i);
});

itAtNight(
  'the only key of the free plan is replaced without scripts, and one click selects the new secret',
  async () => {
    const { repository } = await makeListing(site.database);
    const accountId = await signIn('without-script', { javaScriptEnabled: false });
    const old = await makeKey('server');
    await page.getByRole('link', { name: 'I have stored it' }).click();
    expect(await textOf('main')).toContain('no slot is free');
    expect(await page.getByRole('link', { name: 'Create a key' }).count()).toBe(0);

    await page.getByRole('link', { name: /^Replace server/ }).click();
    await page.getByRole('button', { name: 'Replace the key' }).click();
    const fresh = await textOf('.secret code');
    await page.locator('.secret code').click();

    expect(await page.evaluate(() => getSelection()?.toString())).toBe(fresh);
    expect(await call(old, repository)).toBe(401);
    expect(await call(fresh, repository)).toBe(200);
    expect(await keysOf(accountId)).toBe(2);
    const download = page.waitForEvent('download');
    await page.goto(`${site.url}/console/usage`);
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/,agent_score,[0-9a-f-]{36},server,free,/);
  },
);

itAtNight('an account is proved step by step, and its listings become verified', async () => {
  const account = host.world.account({ handle: 'robot-makers' });
  const { repository } = await makeListing(site.database, { owner: 'robot-makers', name: 'arm' });
  const [stored] = await site.database.query<{ createdAt: string }>(
    'SELECT utc_text(repository_created_at) AS "createdAt" FROM listing WHERE repository = $1',
    [repository],
  );
  host.world.repository({ name: repository, createdAt: stored?.createdAt ?? '' });
  await signIn('prover', { permissions: ['clipboard-read', 'clipboard-write'] });

  await page.getByRole('link', { name: 'Prove an account of yours' }).click();
  await page.getByLabel('Host').selectOption('github.com');
  await page.getByLabel('Account name').fill('robot-makers');
  await page.getByRole('button', { name: 'Get a code' }).click();
  await page.getByRole('button', { name: 'Copy the code' }).click();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Check now' }).click();
  expect(await textOf('.notice.bad')).toContain('The code was not found');
  account.profile = `We make robots. ${code}`;
  await page.getByRole('button', { name: 'Check now' }).click();

  expect(await textOf('main')).toMatch(/Proved\..*Counts until/s);
  await page.goto(`${site.url}/a/robot-makers/arm`);
  expect(await textOf('main')).toMatch(/verified/);
  expect(await textOf('main')).not.toMatch(/not verified/i);
});
