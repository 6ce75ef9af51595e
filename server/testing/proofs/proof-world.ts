import { createHosts, type Hosts } from '../../src/hosts/create-hosts.ts';
import { linkAccount } from '../../src/ownership/proofs/link-account.ts';
import type { LinkedAccount } from '../../src/ownership/proofs/linked-account.queries.ts';
import { verifyLinkedAccount } from '../../src/ownership/proofs/verify-linked-account.ts';
import type { Connection, ConnectOptions, Database } from '../../src/platform/database/connect.ts';
import { embeddedBackend } from '../../src/scoring/embedded/embedded-backend.ts';
import { replaceClock } from '../clock.ts';
import { createFilledDatabase, type TestDatabase } from '../database.ts';
import { makeAccount } from '../factories.ts';
import { type StandInHost, startStandInHost } from '../stand-ins/stand-in-host.ts';
import type { StandInAccount } from '../stand-ins/stand-in-host-world.ts';

/** A database with a clock that the test controls, and hosts with content from the test. */
export interface ProofWorld {
  readonly database: Database;
  readonly url: string;
  readonly hosts: Hosts;
  readonly standIn: StandInHost;
  /** TXT records of DNS, by name. */
  readonly textRecords: Map<string, string>;
  /** Creates a directory account and returns its id. */
  account(handle?: string): Promise<string>;
  link(
    accountId: string,
    handle: string,
    kind?: LinkedAccount['kind'],
    host?: string,
  ): Promise<LinkedAccount>;
  verify(link: LinkedAccount): Promise<LinkedAccount>;
  /** Links an account on GitHub, publishes the code in its profile and verifies it. */
  prove(accountId: string, on: StandInAccount): Promise<LinkedAccount>;
  /** Returns verified flags, creator and repository of a listing. */
  listing(
    id: string,
  ): Promise<{ verified: boolean; creatorId: string; repository: string; creatorVerified: boolean }>;
  /** Makes the world as new for the next test of the file. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

const lockRecentSignIn = async (_connection: Connection) => undefined;
const backend = embeddedBackend;

/** Creates a new world. */
export async function openProofWorld(options: ConnectOptions = {}): Promise<ProofWorld> {
  return openWorld(await createFilledDatabase('a clock', ({ database }) => replaceClock(database), options));
}

/**
 * Creates a new world whose database `fill` fills, once per worker. Its hosts have copies of the accounts and repositories
 * that those of `fill` had. Returns what `fill` returned, too.
 */
export async function openFilledWorld<T>(
  key: string,
  fill: (world: ProofWorld) => Promise<T>,
  options: ConnectOptions = {},
): Promise<{ world: ProofWorld; made: T }> {
  const test = await createFilledDatabase(
    key,
    async (filled) => {
      await replaceClock(filled.database);
      const world = await openWorld({ ...filled, empty: nothing, close: nothing });
      try {
        const made = await fill(world);
        const { accounts, repositories } = world.standIn.world;
        return structuredClone({ made, accounts, repositories });
      } finally {
        await world.close();
      }
    },
    options,
  );
  const world = await openWorld(test);
  const { made, accounts, repositories } = structuredClone(test.made);
  world.standIn.world.accounts.push(...accounts);
  world.standIn.world.repositories.push(...repositories);
  return { world, made };
}

const nothing = async () => undefined;

async function openHosts() {
  const standIn = await startStandInHost();
  const textRecords = new Map<string, string>();
  standIn.world.showsAnyRepository = true;
  const hosts = createHosts({
    publicUrl: 'https://directory.example',
    hostApiUrls: standIn.hostApiUrls,
    hostApiTokens: [],
    async resolveText(name) {
      const found = textRecords.get(name);
      if (found === undefined) throw new Error('ENOTFOUND');
      return [[found]];
    },
  });
  const close = async () => {
    await hosts.close();
    await standIn.close();
  };
  return { standIn, textRecords, hosts, close };
}

async function openWorld(test: TestDatabase): Promise<ProofWorld> {
  const { database } = test;
  let current = await openHosts();
  const world: ProofWorld = {
    database,
    url: test.url,
    get hosts() {
      return current.hosts;
    },
    get standIn() {
      return current.standIn;
    },
    get textRecords() {
      return current.textRecords;
    },
    account: async (handle) =>
      (await makeAccount(database, handle === undefined ? {} : { handle })).accountId,
    link: (accountId, handle, kind = 'repo_host', host = 'github.com') =>
      linkAccount(database, current.hosts, { accountId, kind, host, handle, lockRecentSignIn }),
    verify: ({ accountId, id }) =>
      verifyLinkedAccount(database, {
        ...{ accountId, linkId: id, backend, lockRecentSignIn },
        hosts: current.hosts,
      }),
    async prove(accountId, on) {
      const link = await world.link(accountId, on.handle);
      on.profile = `I make tools. ${link.code}`;
      return world.verify(link);
    },
    async listing(id) {
      const [row] = await database.query<Awaited<ReturnType<ProofWorld['listing']>>>(
        `SELECT l.verified, l.creator_id AS "creatorId", l.repository, c.verified AS "creatorVerified"
         FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE l.subject_id = $1`,
        [id],
      );
      if (!row) throw new Error('no such listing');
      return row;
    },
    async empty() {
      await test.empty();
      await current.close();
      current = await openHosts();
    },
    async close() {
      await current.close();
      await test.close();
    },
  };
  return world;
}
