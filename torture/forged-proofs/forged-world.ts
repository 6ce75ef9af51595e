import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../server/src/app.ts';
import { createHosts, type Hosts } from '../../server/src/hosts/create-hosts.ts';
import { loadConfig } from '../../server/src/platform/config/load-config.ts';
import type { Database } from '../../server/src/platform/database/connect.ts';
import { createServices } from '../../server/src/services.ts';
import type { TestDatabase } from '../../server/testing/clone-database.ts';
import { makeAccount, makeSession } from '../../server/testing/factories.ts';
import { type StandInHost, startStandInHost } from '../../server/testing/stand-ins/stand-in-host.ts';

const ORIGIN = 'http://127.0.0.1:4000';

/** A host account to link, as sent to the console. */
export interface Claim {
  kind: 'repo_host' | 'node_packages' | 'python_packages' | 'social' | 'messaging';
  host: string;
  handle: string;
}

/** An answer of the console's API. */
export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, each read at one place.
  body: any;
}

/** Person with an account of this directory and a session of the console. */
export interface Person {
  readonly accountId: string;
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Reply>;
  /** Links a host account; the reply has the code and the link's id. */
  link(claim: Claim): Promise<Reply>;
  verify(linkId: string): Promise<Reply>;
}

/** The server with its database, and stand-ins for the hosts and DNS that it reads. */
export interface ForgedWorld {
  readonly database: Database;
  /** The clients that read the stand-ins. */
  readonly hosts: Hosts;
  readonly standIn: StandInHost;
  /** The TXT records that DNS has, by name. */
  readonly textRecords: Map<string, string[]>;
  person(handle: string): Promise<Person>;
  close(): Promise<void>;
}

/** Opens the server on a database, against stand-ins of all hosts and of DNS. */
export async function openForgedWorld({ database, url }: TestDatabase): Promise<ForgedWorld> {
  const standIn = await startStandInHost();
  const textRecords = new Map<string, string[]>();
  const config = loadConfig({
    ...{ LOG_LEVEL: 'silent', PUBLIC_URL: ORIGIN, HOST_API_URLS: standIn.environment },
    ...{
      RATE_LIMIT_READ_PER_MINUTE: '0',
      RATE_LIMIT_WRITE_PER_MINUTE: '0',
      RATE_LIMIT_UNKEYED_PER_MINUTE: '0',
    },
  });
  const resolveText = async (name: string) => (textRecords.get(name) ?? []).map((record) => [record]);
  // Services create the clients of hosts from this configuration, which contains the stand-in for DNS.
  const withTextRecords = { ...config, ...{ resolveText } };
  const services = createServices(withTextRecords, { databaseUrl: url });
  const hosts = createHosts(withTextRecords);
  const app = await buildApp(services);
  return {
    database,
    hosts,
    standIn,
    textRecords,
    person: (handle) => makePerson(database, app, handle),
    async close() {
      await app.close();
      await hosts.close();
      await services.close();
      await standIn.close();
    },
  };
}

async function makePerson(database: Database, app: FastifyInstance, handle: string): Promise<Person> {
  const { accountId } = await makeAccount(database, { handle });
  const { cookie } = await makeSession(database, accountId);
  const call: Person['call'] = async (method, url, payload) => {
    const headers = { cookie, origin: ORIGIN };
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: response.statusCode, body: response.body === '' ? null : response.json() };
  };
  return {
    accountId,
    call,
    link: (claim) => call('POST', '/api/console/linked-accounts', claim),
    verify: (linkId) => call('POST', `/api/console/linked-accounts/${linkId}/verify`),
  };
}
