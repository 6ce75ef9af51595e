import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../../testing/at-night.ts';
import { openBrowser, type TestBrowser } from '../../../../testing/browser/chromium.ts';
import { findAccessibilityFaults } from '../../../../testing/browser/find-accessibility-faults.ts';
import { openTestSite, type TestSite } from '../../../../testing/browser/test-site.ts';
import { makeAccount } from '../../../../testing/factories.ts';
import {
  type StandInIdentityProvider,
  startIdentityProvider,
} from '../../../../testing/stand-ins/stand-in-identity-provider.ts';
import { holdPort } from '../../../platform/http/unusable-address.ts';

let site: TestSite;
let idp: StandInIdentityProvider;
let chromium: TestBrowser;
let page: Page;
/** Errors and policy violations on our own pages. */
const complaints: string[] = [];

beforeAll(async () => {
  const held = await holdPort('127.0.0.1');
  // Use another host name than the provider's, so that the browser treats them as different sites.
  const url = `http://localhost:${held.port}`;
  idp = await startIdentityProvider([`${url}/sign-in/callback`]);
  [site, chromium] = await Promise.all([
    openTestSite(
      {
        PUBLIC_URL: url,
        OIDC_ISSUER: idp.issuer,
        OIDC_CLIENT_ID: idp.clientId,
        OIDC_CLIENT_SECRET: idp.clientSecret,
        OIDC_NAME: 'Example ID',
        SIGN_UP: 'open',
      },
      held,
    ),
    openBrowser(),
  ]);
  page = await (await chromium.browser.newContext()).newPage();
  // The provider's form loads fonts from a service that tests must not call.
  await page.route(/fonts\.googleapis\.com/, (route) => route.abort());
  page.on('console', (message) => {
    if (message.type() === 'error' && page.url().startsWith(url)) complaints.push(message.text());
  });
});
afterAll(async () => {
  await chromium.close();
  await site.close();
  await idp.close();
});

/** Signs in from our page through the provider's form and back. */
async function signInAs(name: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  expect(page.url()).toContain(idp.issuer);
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  const agree = page.getByRole('button', { name: 'Continue' });
  if (page.url().startsWith(idp.issuer)) await agree.click();
  await page.waitForURL(`${site.url}/**`);
}

describe('in a real browser', () => {
  it('a person signs in with the provider’s form, returns to the requested page, and signs out', async () => {
    const { accountId } = await makeAccount(site.database);
    await site.database.query(
      "INSERT INTO sign_in_identity (issuer, subject, account_id, created_by) VALUES ($1, 'ada', $2, 'operator')",
      [idp.issuer, accountId],
    );
    await page.goto(`${site.url}/console/keys`);
    expect(page.url()).toBe(`${site.url}/sign-in?next=%2Fconsole%2Fkeys`);
    expect(await findAccessibilityFaults(page, 'all')).toEqual([]);

    await signInAs('ada');

    expect(page.url()).toBe(`${site.url}/console/keys`);
    const cookies = await page.context().cookies(site.url);
    expect(cookies).toMatchObject([{ name: 'sid', httpOnly: true, sameSite: 'Lax', path: '/', expires: -1 }]);
    await page.goto(`${site.url}/sign-out`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${site.url}/`);
    await page.goto(`${site.url}/console`);
    expect(page.url()).toBe(`${site.url}/sign-in?next=%2Fconsole`);
    expect(complaints).toEqual([]);
  });

  itAtNight('a new person is redirected to the page that chooses a handle', async () => {
    await page.context().clearCookies();
    await page.goto(`${site.url}/console`);

    await signInAs('newcomer');

    expect(page.url()).toBe(`${site.url}/console/handle`);
    expect(complaints).toEqual([]);
  });

  itAtNight('reopening the provider’s callback does not sign in again, and continues', async () => {
    await page.goto(`${site.url}/sign-in`);
    const answers: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/sign-in/callback?')) answers.push(request.url());
    });
    await signInAs('newcomer');

    const again = await page.goto(answers[0] ?? '');

    expect(again?.status()).toBe(400);
    expect(await findAccessibilityFaults(page, 'all')).toEqual([]);
    await page.getByRole('link', { name: 'Sign in', exact: true }).last().click();
    expect(await page.getByText('You are signed in.').count()).toBe(1);
  });
});
