import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../testing/browser/chromium.ts';
import { openTestSite, type TestSite } from '../../../testing/browser/test-site.ts';
import { type PageTroubles, watchPage } from '../../../testing/browser/watch-page.ts';
import { PLAN_BOOK } from '../../../testing/factories.ts';
import { makeDirectoryWorld } from '../../../testing/pages/directory-world.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { createAccount } from '../../accounts/account-lifecycle.ts';
import { createSignInLink, signInUrl } from '../../accounts/sign-in/sign-in-link.ts';
import { scoreSubjects } from '../../scoring/batches/score-subjects.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';

let site: TestSite;
let chromium: TestBrowser;
let page: Page;
let troubles: PageTroubles;

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  await makeDirectoryWorld(site.database);
  // A similar listing that is not claimed yet.
  const { id } = await makeListing(site.database, {
    repository: 'notes-co/changelog-writer',
    name: 'Changelog Writer',
    description: 'Writes a changelog.',
    type: 'agent',
  });
  await scoreSubjects(site.database, embeddedBackend, [id]);
});
afterEach(async () => {
  expect(troubles.take()).toEqual([]);
  await page.context().close();
});
afterAll(async () => {
  await chromium.close();
  await site.close();
});

/** Opens a window without any cookies. */
async function arrive(): Promise<void> {
  const context = await chromium.browser.newContext({
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = await context.newPage();
  troubles = await watchPage(page, site.url);
}

/** Creates an account and signs in by the operator's link. */
async function signIn(handle: string): Promise<void> {
  const { id } = await createAccount(site.database, PLAN_BOOK, { handle, plan: 'free' });
  await page.goto(signInUrl(site.url, await createSignInLink(site.database, id)));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: handle }).waitFor();
}

const main = () => page.getByRole('main');
const link = (name: string | RegExp) => main().getByRole('link', { name, exact: typeof name === 'string' });
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const said = async (place: Locator) => (await place.textContent()) ?? '';
const path = () => page.url().slice(site.url.length);

it('finds an agent despite a typing error, compares it, reads why, and claims it', async () => {
  await arrive();
  await signIn('claimer');
  await page.goto(site.url);

  const field = page.getByRole('combobox', { name: 'Search agents, skills and creators' });
  await field.fill('chnagelog');
  await page.getByRole('button', { name: 'Check' }).click();
  const note = page.getByRole('status').filter({ hasText: 'Also showing results for' });
  await note.getByRole('link', { name: 'changelog' }).click();
  await page.waitForURL('**/agents?q=changelog');
  expect(await page.getByRole('status').filter({ hasText: 'Also showing results for' }).count()).toBe(0);

  await page.getByRole('checkbox', { name: 'compare Changelog Agent', exact: true }).check();
  await page.getByRole('checkbox', { name: 'compare Changelog Writer', exact: true }).check();
  await page.getByRole('button', { name: 'Compare selected' }).click();
  await heading('Compare').waitFor();
  const heads = page.getByRole('region', { name: 'Comparison' }).getByRole('columnheader');
  expect((await heads.getByRole('heading').allInnerTexts()).sort()).toEqual([
    'Changelog Agent',
    'Changelog Writer',
  ]);

  await link('Changelog Writer').click();
  await heading('Changelog Writer').waitFor();
  await link('Why').click();
  expect(path()).toBe('/a/notes-co/changelog-writer#why');
  const why = page.getByRole('region', { name: 'Why' });
  expect(await why.getByRole('row').count()).toBeGreaterThan(5);

  await link('Claim it').click();
  await heading('Identity').waitFor();
  expect(await page.getByLabel('Host').inputValue()).toBe('github.com');
  expect(await page.getByLabel('Account name').inputValue()).toBe('notes-co');
  await page.getByRole('button', { name: 'Get a code' }).click();
  await heading(/notes-co on github\.com/).waitFor();
  expect(await main().getByRole('heading', { name: 'Prove that it is yours' }).count()).toBe(1);
});

it('runs a call in the console, sees the bought score on its receipt, and finds the receipt again', async () => {
  await arrive();
  await signIn('caller');

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Try a call' }).click();
  await page.getByLabel('Operation').selectOption('Agent score');
  await page.getByLabel('Subject', { exact: true }).fill('acme/changelog-agent');
  await page.getByRole('button', { name: 'Run the call' }).click();
  await page.getByRole('status').filter({ hasText: 'The call is done.' }).waitFor();
  const receipt = path().replace(/\?.*/, '');
  const score = page.getByRole('region', { name: 'The score' });
  const [, trust = ''] = /Trust (\d+) · Confidence/.exec(await said(score)) ?? [];
  expect(await said(page.getByRole('region', { name: 'The charge' }))).toMatch(/Charged\s*1 call/);

  await score.getByRole('link', { name: 'See why on its page' }).click();
  await heading('Changelog Agent').waitFor();
  const shown = await said(page.getByRole('region', { name: 'Verdict' }));
  expect(shown).toContain(`Trust${trust}Confidence`);
  expect(trust).not.toBe('');

  await page.getByRole('link', { name: 'Console', exact: true }).click();
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Receipts' }).click();
  await page.getByRole('searchbox', { name: 'Search your calls' }).fill('nothing of mine');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await main().getByText('No call matches “nothing of mine”.').waitFor();
  await page.getByRole('searchbox', { name: 'Search your calls' }).fill('changelog');
  await page.keyboard.press('Enter');
  await main().getByText('Matching calls “changelog”').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.getByRole('row').getByRole('link', { name: 'Agent score' }).click();
  await heading('Agent score').waitFor();

  expect(path()).toBe(receipt);
  expect(await said(page.getByRole('region', { name: 'The score' }))).toContain(`Trust ${trust} `);
});

it("sends the guide's first call as shown, with a new key, and gets a response", async () => {
  await arrive();
  await signIn('reader');

  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Docs' }).click();
  await link('Create an access key').click();
  await link('Create a key').click();
  await page.getByLabel('Name').fill('first');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.getByRole('button', { name: 'Copy the secret' }).click();
  const secret = await copied();
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Docs' }).click();
  await page.getByRole('button', { name: 'Copy the first call' }).click();
  const call = await copied();

  const { status, body } = await paste(call, { TRUST_DIRECTORY_API_KEY: secret });

  expect([status, body.ok, body.operation]).toEqual([200, true, 'agent_score']);
  expect(call).toContain(body.resolved_subject.repository);
  await page.goto(`${site.url}/console/receipts?q=${body.ledger_id}`);
  expect(await said(main())).toMatch(/Settled.*Key\s*first/s);
});

const copied = async () => {
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
};

/** Runs a pasted command in a shell; the status follows the response's body. */
async function paste(source: string, env: Record<string, string>) {
  const shell = spawn('sh', ['-euc', `curl() { command curl -sS -w '\\n%{http_code}' "$@"; }\n${source}`], {
    env: { PATH: process.env.PATH, NO_PROXY: '*', ...env },
  });
  const answer = await text(shell.stdout);
  const end = answer.lastIndexOf('\n');
  return { status: Number(answer.slice(end + 1)), body: JSON.parse(answer.slice(0, end)) };
}
