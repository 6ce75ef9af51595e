import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeAtNight, itAtNight } from '../../../testing/at-night.ts';
import { replaceClock } from '../../../testing/clock.ts';
import { openDatabaseProxy } from '../../../testing/database-proxy.ts';
import {
  giveCredits,
  makeAccount,
  makeListing,
  makeSession,
  type TestListing,
} from '../../../testing/factories.ts';
import { readRepeatedly } from '../../../testing/http/read-repeatedly.ts';
import { openReadingProcess, type ReadingProcess } from '../../../testing/http/reading-process.ts';
import { fewerUnlessNightly, sampleUnlessNightly } from '../../../testing/nightly.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { makeDirectoryWorld } from '../../../testing/pages/directory-world.ts';
import { PUBLIC_PAGES } from '../../../testing/pages/page-paths.ts';
import {
  type ReplicatedServer,
  startReplicatedServer,
  type TestReplica,
} from '../../../testing/replicated-server.ts';
import { seededRandom } from '../../../testing/test-chance.ts';

let server: ReplicatedServer;
let replica: TestReplica;
let survivor: TestReplica;
let writing: ReadingProcess;
let other: ReadingProcess;
let listing: TestListing;
let secret: string;
let cookie: string;

beforeAll(async () => {
  // Only tests at night promote a replica, which needs a second one.
  server = await startReplicatedServer(fewerUnlessNightly(1, 2));
  [replica, survivor] = server.replicas as [TestReplica, TestReplica];
  const replicas = [replica.url];
  writing = await openReadingProcess(server.url, { replicas });
  other = await openReadingProcess(server.url, { replicas, isCaching: false });
  const { database } = writing.services;
  await replaceClock(database);
  await makeDirectoryWorld(database);
  listing = await makeListing(database);
  const account = await makeAccount(database);
  await giveCredits(database, account.accountId, 1_000_000);
  secret = account.key.secret;
  ({ cookie } = await makeSession(database, account.accountId));
  await replica.caughtUp();
}, 120_000);
afterAll(async () => {
  await other?.close();
  await writing?.close();
  await server?.stop();
});

const at = (choice: string, { services } = other) =>
  [...(services.replicas?.counts ?? [])].reduce(
    (sum, [name, count]) => sum + (name.startsWith(choice) ? count : 0),
    0,
  );

async function read(url: string, { app } = other) {
  const answer = await app.inject(url);
  expect([url, answer.statusCode]).not.toEqual([url, 500]);
  expect([url, answer.statusCode]).not.toEqual([url, 503]);
  return answer;
}

/** Reads until the replica has served a read. */
async function untilReadFromReplica(process = other): Promise<void> {
  const before = at('replica', process);
  await expect
    .poll(async () => {
      await read(`/api/agents/${listing.agentId}`, process);
      return at('replica', process);
    })
    .toBeGreaterThan(before);
}

async function call({ app } = writing): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/svc/operations/run',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      operation: 'agent_score',
      channel: 'api',
      subject: listing.repository,
      idempotency_key: randomUUID(),
    },
  });
  expect(answer.statusCode).toBe(200);
  return answer.json().result.score_evidence.score_version;
}

const versionShown = async (process = other): Promise<string> =>
  (await read(`/api/subjects?subject=${listing.repository}`, process)).json().score_version;

const countsGrow = async (choice: string) => {
  const before = at(choice);
  await expect.poll(() => at(choice)).toBeGreaterThan(before + 5);
};

describe('public reads', () => {
  afterEach(() => replica.pause(false));

  it('come from a replica', async () => {
    await untilReadFromReplica();
    const before = at('primary');

    const pages = sampleUnlessNightly(Object.values(PUBLIC_PAGES), (_, index) => index % 3 === 0);
    for (const url of [...pages, '/api/agents?q=notes', '/sitemap.xml']) await read(url);

    expect(at('primary')).toBe(before);
    expect((await replica.statements()).join()).toMatch(/FROM listing\b/);
  });

  it('are never older than writes of any process, even if the replica has stopped replaying', async () => {
    await untilReadFromReplica();
    await replica.pause(true);

    for (const [process, stars] of [
      [writing, 7_001],
      [other, 7_002],
    ] as const) {
      await writeListings(process.services.database, 'UPDATE listing SET stars = $2 WHERE subject_id = $1', [
        listing.subjectId,
        stars,
      ]);
      const shown = (await read(`/api/agents/${listing.agentId}`)).json();
      expect(shown.repoHost.stars).toBe(stars);
    }

    const onReplica = await replica.ask<{ stars: number }>(
      `SELECT stars FROM listing WHERE subject_id = '${listing.subjectId}'`,
    );
    expect(onReplica).not.toEqual([{ stars: 7_002 }]);
    await replica.pause(false);
    await untilReadFromReplica();
  });

  it('are never older than a receipt that another process has just returned', async () => {
    const chance = seededRandom();
    const before = at('replica');
    for (let round = 0; round < fewerUnlessNightly(8, 15); round += 1) {
      await replica.pause(chance.chance(0.4));
      if (chance.chance(0.3)) await replica.pause(false).then(() => untilReadFromReplica());
      const receipt = await call();
      const shown = await Promise.all([versionShown(), versionShown()]);
      for (const version of shown) expect(version >= receipt, `${version} after ${receipt}`).toBe(true);
    }
    expect(at('replica')).toBeGreaterThan(before);
  });
});

describe('a cached response', () => {
  it('is not served to clients that know newer data, even without notifications', async () => {
    const line = await openDatabaseProxy(server.url);
    const deaf = await openReadingProcess(server.url, {
      notificationsUrl: line.url,
      replicas: [replica.url],
    });
    await call();
    await versionShown(deaf);
    const lookUps = deaf.cache?.counts.hits ?? 0;
    await expect
      .poll(async () => {
        await versionShown(deaf);
        return deaf.cache?.counts.hits;
      })
      .toBeGreaterThan(lookUps);

    line.hush(true);
    const receipt = await call();
    const shown = [await versionShown(deaf), await versionShown(deaf)];
    line.hush(false);
    await deaf.close();
    await line.close();

    for (const version of shown) expect(version >= receipt).toBe(true);
  });
});

it('the metrics report the target of reads and the replica’s lag', async () => {
  await untilReadFromReplica();
  const { text } = (await other.services.metrics?.scrape()) ?? {};

  for (const line of [
    /^trust_directory_reads_total\{source="replica",reason="there"\} [1-9]/m,
    /^trust_directory_replica_ready\{replica="1"\} 1$/m,
    /^trust_directory_replica_lag_bytes\{replica="1"\} \d+$/m,
    /^trust_directory_pool_sessions_max\{pool="replica_1"\} 10$/m,
  ])
    expect(text).toMatch(line);
  expect(text).not.toContain(new URL(replica.url).port);
});

describe('money and keys', () => {
  it('are never read from a replica', async () => {
    await untilReadFromReplica();
    await call(other);
    for (const [url, headers] of [
      ['/api/receipts', { authorization: `Bearer ${secret}` }],
      ...['usage', 'balance', 'keys'].map((name) => [`/api/console/${name}`, { cookie }] as const),
      ['/console', { cookie }],
    ] as const)
      expect([url, (await other.app.inject({ url, headers })).statusCode]).toEqual([url, 200]);

    const text = (await replica.statements()).join('\n');

    const private_ =
      /\b(account|access_key|session|credit_bucket|bucket_entry|open_run|ended_run|sign_in_link|person_identity)\b/;
    expect(private_.exec(text)?.[0]).toBeUndefined();
  });
});

describe('a replica that', () => {
  const urls = () => [`/api/agents/${listing.agentId}`, '/api/agents', '/agents?q=notes', '/c/acme'];

  it('is killed fails no request, and is used again once it is back', async () => {
    await untilReadFromReplica();
    const load = readRepeatedly(other.app, urls());
    await countsGrow('replica');

    await replica.kill();
    await countsGrow('primary');
    await replica.start();
    await countsGrow('replica');

    expect(await load.stop()).toBeGreaterThan(15);
  });

  itAtNight('hangs fails no request', async () => {
    await untilReadFromReplica();
    const load = readRepeatedly(other.app, urls());
    await countsGrow('replica');

    replica.freeze(true);
    await countsGrow('primary');
    replica.freeze(false);
    await countsGrow('replica');

    expect(await load.stop()).toBeGreaterThan(15);
  });

  itAtNight('restarts at an earlier position is not used as if at its former one', async () => {
    await untilReadFromReplica();
    const receipt = await call();
    await replica.caughtUp();
    await untilReadFromReplica();

    await replica.kill();
    await replica.start({ recovery_min_apply_delay: '1h' });
    const behind = await replica.ask<{ version: string }>(
      `SELECT current_version::text AS version FROM subject WHERE id = '${listing.subjectId}'`,
    );
    await expect.poll(() => other.services.replicas?.replicas[0]?.status()).not.toBe('away');
    const shown = await Promise.all(Array.from({ length: 20 }, () => versionShown()));

    expect(behind[0]?.version.slice(0, 26).replace(' ', 'T')).not.toBe(receipt.slice(0, 26));
    for (const version of shown) expect(version >= receipt).toBe(true);
    await replica.kill();
    await replica.start();
    await untilReadFromReplica();
  });
});

describeAtNight('a replica that at last', () => {
  // It must not be ahead of the server that will be promoted.
  beforeAll(() => survivor.streamFrom(replica.url));

  it('was promoted is no longer used', async () => {
    await untilReadFromReplica();
    await replica.promote();
    await replica.ask(`UPDATE listing SET stars = 1 WHERE subject_id = '${listing.subjectId}'`);
    const status = () => other.services.replicas?.replicas[0]?.status();
    await expect.poll(status).toBe('away');

    // Longer than the delay after a failed statement.
    for (const restMs of [0, 1_500]) {
      await wait(restMs);
      const shown = (await read(`/api/agents/${listing.agentId}`)).json();
      expect([shown.repoHost.stars === 1, status()]).toEqual([false, 'away']);
    }
  });

  it('leads the others, which are used before their control files show the new timeline', async () => {
    const after = await openReadingProcess(replica.url, { replicas: [survivor.url], isCaching: false });
    await untilReadFromReplica(after);
    const [told] = await survivor.ask(
      `SELECT greatest(p.timeline_id, r.min_recovery_end_timeline) AS control, m.timeline AS marked
       FROM pg_control_checkpoint() p, pg_control_recovery() r, primary_timeline m`,
    );
    await after.close();
    expect(told).toEqual({ control: 1, marked: 2 });
  });
});
