import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/platform/config/load-config.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { createServices } from '../../src/services.ts';
import { replaceClock } from '../clock.ts';
import { createTestDatabase } from '../database.ts';
import {
  type StandInIdentityProvider,
  startIdentityProvider,
} from '../stand-ins/stand-in-identity-provider.ts';
import { type Shown, SignInBrowser } from './sign-in-browser.ts';

export const SITE = 'https://trust.example';
const SET_OUT = '/sign-in/with/oidc';

/** A directory with a real OpenID Connect provider. */
export interface SignInWorld {
  readonly database: Database;
  readonly idp: StandInIdentityProvider;
  /** Log output of the processes so far. */
  readonly log: string[];
  /** Starts another process of the directory. */
  start(environment?: Record<string, string>): Promise<FastifyInstance>;
  /** Signs in as this person in a new browser. */
  signIn(app: FastifyInstance, name: string, path?: string): Promise<{ browser: SignInBrowser; end: Shown }>;
  /** Signs in up to the last step: returns the URL of our callback, as the provider made it. */
  callback(browser: SignInBrowser, name: string, path?: string): Promise<string>;
  /** Makes the token endpoint return these claims over the real ones, with this header, from now on. */
  forge(claims: (own: Record<string, unknown>) => object, header?: { alg?: string; kid?: string }): void;
  /** Allows the person to sign in to the account. */
  allowSignIn(accountId: string, subject: string): Promise<void>;
  close(): Promise<void>;
}

/** Sets up a separate directory; tests control its clock. */
export async function openSignInWorld(): Promise<SignInWorld> {
  const test = await createTestDatabase({ poolSize: 15 });
  await replaceClock(test.database);
  const idp = await startIdentityProvider([`${SITE}/sign-in/callback`]);
  const stops: (() => Promise<unknown>)[] = [];
  const log: string[] = [];
  const provider = {
    OIDC_ISSUER: idp.issuer,
    OIDC_CLIENT_ID: idp.clientId,
    OIDC_CLIENT_SECRET: idp.clientSecret,
  };
  const fixed = { DATABASE_URL: test.url, PUBLIC_URL: SITE, RATE_LIMIT_PUBLIC_PER_MINUTE: '0' };
  const logTo = { write: (line: string) => void log.push(line) };
  return {
    database: test.database,
    idp,
    log,
    async start(environment = {}) {
      const config = loadConfig({ ...fixed, ...provider, ...environment });
      const services = createServices(config, { databaseUrl: test.url, logTo });
      const app = await buildApp(services);
      stops.push(async () => {
        await app.close();
        await services.close();
      });
      return app;
    },
    signIn,
    callback,
    forge: (claims, header) => forge(idp, claims, header),
    async allowSignIn(accountId, subject) {
      await test.database.query(
        "INSERT INTO sign_in_identity (issuer, subject, account_id, created_by) VALUES ($1, $2, $3, 'operator')",
        [idp.issuer, subject, accountId],
      );
    },
    async close() {
      for (const stop of stops) await stop();
      await idp.close();
      await test.close();
    },
  };
}

function forge(
  idp: StandInIdentityProvider,
  claims: (own: Record<string, unknown>) => object,
  header: { alg?: string; kid?: string } = {},
): void {
  idp.overrideAnswer = (path, response, body) => {
    if (path !== '/token') return undefined;
    const answer = JSON.parse(body) as { id_token: string };
    const own = JSON.parse(Buffer.from(answer.id_token.split('.')[1] ?? '', 'base64url').toString());
    const idToken = idp.signed({ ...own, ...claims(own) }, header);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...answer, id_token: idToken }));
    return true;
  };
}

async function signIn(app: FastifyInstance, name: string, path = SET_OUT) {
  const browser = new SignInBrowser(app, SITE);
  const login = await browser.open(path, { from: 'same-origin' });
  return { browser, end: await browser.signInAt(login, name) };
}

async function callback(browser: SignInBrowser, name: string, path = SET_OUT): Promise<string> {
  browser.stopsBefore = (url) => url.origin === SITE;
  const login = await browser.open(path, { from: 'same-origin' });
  // A provider that already knows the browser shows no form.
  const last = login.headers.has('location') ? login : await browser.signInAt(login, name);
  browser.stopsBefore = undefined;
  return last.headers.get('location') ?? '';
}
