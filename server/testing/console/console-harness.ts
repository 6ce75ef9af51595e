import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/platform/config/load-config.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { createServices, type Services } from '../../src/services.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { makeAccount, makeSession } from '../factories.ts';

/** Public origin of the server. */
export const SITE = 'http://127.0.0.1:4000';

/** Signed-in person who sends forms as a browser does. */
export interface Person {
  accountId: string;
  sessionId: string;
  handle: string;
  cookie: string;
  get(url: string): Promise<LightMyRequestResponse>;
  /** Sends a form with the hidden fields of the page at `page`, such as the session's token. */
  send(url: string, fields: Fields, page?: string): Promise<LightMyRequestResponse>;
  /** Sends a form with exactly these fields and headers. */
  post(url: string, fields: Fields, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Server with its console, and people who sign in to it. */
export interface ConsoleWorld {
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly database: Database;
  signIn(options?: { plan?: string; handle?: string }): Promise<Person>;
  /** Opens another session of an account. */
  signInAs(accountId: string, handle?: string): Promise<Person>;
}

/** Starts a complete server with its own database for one test file. */
export function useConsole(env: () => Record<string, string> = () => ({})): ConsoleWorld {
  let test: TestDatabase;
  let services: Services;
  let app: FastifyInstance;
  beforeAll(async () => {
    test = await createTestDatabase();
    const limits = {
      RATE_LIMIT_WRITE_PER_MINUTE: '0',
      RATE_LIMIT_PUBLIC_PER_MINUTE: '0',
      RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '0',
    };
    const config = loadConfig({ LOG_LEVEL: 'silent', PUBLIC_URL: SITE, ...limits, ...env() });
    services = createServices(config, { databaseUrl: test.url });
    app = await buildApp(services);
  });
  afterAll(async () => {
    await app.close();
    await services.close();
    await test.close();
  });
  const signInAs = async (accountId: string, handle = ''): Promise<Person> => {
    const { cookie, sessionId } = await makeSession(test.database, accountId);
    return { accountId, sessionId, handle, cookie, ...browserOf(app, cookie) };
  };
  return {
    get app() {
      return app;
    },
    get services() {
      return services;
    },
    get database() {
      return test.database;
    },
    signInAs,
    async signIn(options = {}) {
      const { accountId, handle } = await makeAccount(test.database, options);
      return signInAs(accountId, handle);
    },
  };
}

function browserOf(app: FastifyInstance, cookie: string) {
  const get = (url: string) => app.inject({ url, headers: { cookie } });
  const post = (url: string, fields: Fields, headers: Record<string, string> = { origin: SITE }) =>
    app.inject({
      method: 'POST',
      url,
      payload: encode(fields),
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  return {
    get,
    post,
    async send(url: string, fields: Fields, page = url) {
      const { body } = await get(page);
      return post(url, { ...hiddenFields(body), ...fields });
    },
  };
}

/** Returns the hidden fields of a page's forms: the session's token and a form's id. */
export function hiddenFields(body: string): Record<string, string> {
  const found = body.matchAll(/<input type="hidden" name="(form_token|one_key|form_id)" value="([^"]*)"/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value]));
}

function encode(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) form.append(name, value);
  return form.toString();
}
