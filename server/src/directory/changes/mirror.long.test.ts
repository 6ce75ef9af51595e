import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Random } from '../../../../torture/random.ts';
import { osvRecord, storeOsv } from '../../../testing/advisories/sample-advisories.ts';
import {
  Mirror,
  publishAll,
  readList,
  readSubjects,
  sortById,
} from '../../../testing/changes/follow-changes.ts';
import { replaceClock, shiftClock } from '../../../testing/clock.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { openReadingProcess, type ReadingProcess } from '../../../testing/http/reading-process.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { account, artifact, creator, listing, relation } from '../../../testing/import/rows.ts';
import { fewerUnlessNightly } from '../../../testing/nightly.ts';
import { seededRandom } from '../../../testing/test-chance.ts';
import { refreshAllStandings } from '../../catalog/facts/refresh-standings.ts';
import { computeScoreDistributions } from '../../catalog/listings/refresh-score-distributions.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { recompute } from '../../scoring/batches/recompute.ts';
import { scoreQueuedSubjects } from '../../scoring/batches/score-queued-subjects.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { delistListing } from '../delisting/delist-listing.ts';
import { relistListing } from '../delisting/relist-listing.ts';
import { registerAgent } from '../own-agents/register-agent.ts';

const publicUrls = createPublicUrls('https://trust.example');
let work: ImportWorkspace;
let reading: ReadingProcess;
let mirror: Mirror;

beforeEach(async () => {
  work = await createImportWorkspace();
  await replaceClock(work.database);
  await publishAll(work.database);
  reading = await openReadingProcess(work.url, { isCaching: false });
  mirror = new Mirror(read);
});
afterEach(async () => {
  await reading.close();
  await work.close();
});

async function read(path: string) {
  const answer = await reading.app.inject(path);
  return { status: answer.statusCode, body: answer.json() };
}

const REPOSITORIES = Array.from({ length: 24 }, (_, n) => `${['acme', 'other', 'third'][n % 3]}/tool-${n}`);
/** Minimum number of changes that the mirror applies, and of steps that are not refused. */
const LEAST_APPLIED = fewerUnlessNightly(25, 50);
const LEAST_EFFECTIVE = fewerUnlessNightly(10, 20);
/** Minimum number of steps. */
const LEAST_STEPS = fewerUnlessNightly(20, 40);
const COPIES = ['duplicate_of', 'copied_from', 'same_name_and_description', 'probable_rename_to'];

/** Returns functions that change the directory, by name. Some have no effect in some states of the directory. */
function changesBy(random: Random): Record<string, () => Promise<unknown>> {
  const one = <T>(of: readonly T[]): T => of[random.below(of.length)] as T;
  const repository = () => one(REPOSITORIES);
  let days = 0;
  const silent = { begin: () => undefined, advance: () => undefined, end: () => undefined };
  const score = () =>
    scoreQueuedSubjects(work.database, embeddedBackend, new AbortController().signal, silent);
  const entry = () => {
    const name = repository();
    return listing(name, {
      stars: one([null, 3, 900, 20_000]),
      forks: one([null, 1, 40]),
      license: one([null, 'MIT']),
      description: `What it does ${random.below(3)}.`,
      name: `${name.split('/')[1]}${one(['', ' ii'])}`,
      category: one(['coding', 'data']),
      npmPackage: one([null, name.split('/')[1]]),
      lastCommit: one([null, '2026-11-01T00:00:00Z']),
      createdAt: one([null, '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z']),
      host: one(['github.com', 'github.com', 'gitlab.com']),
    });
  };
  return {
    'an import': () => work.store(...Array.from({ length: 4 }, entry)),
    'names of creators': () =>
      work.store(creator(one(['acme', 'other']), { displayName: one(['A Maker', 'B Maker']) })),
    'an account': () =>
      work.store(
        account('x', one(['acme', 'other']), {
          ...{
            createdAt: '2020-01-01T00:00:00Z',
            verifiedMark: one([true, false]),
            audience: one([10, 90_000]),
          },
          ...{ audienceDayGrowth: 0, engagement: 0.02, lastPostAt: '2026-11-10T00:00:00Z', scamFlag: false },
          ...{ crossLink: one(['none', 'both']), observedAt: `2026-11-${10 + random.below(15)}T00:00:00Z` },
        }),
      ),
    'a file inside a repository': () => work.store(artifact(repository(), `part-${random.below(5)}`)),
    'a copy': () =>
      work.store(relation(one(COPIES), repository(), repository(), { directed: one([true, false]) })),
    'a merge after a rename': () => work.store(relation('renamed_to', repository(), repository())),
    'a registration': async () => {
      const { accountId } = await makeAccount(work.database);
      await registerAgent(work.database, {
        ...{ accountId, publicUrls, backend: embeddedBackend, allowedHosts: publicUrls.hosts },
        ...{ name: 'Robot', description: 'Draws maps.', category: 'coding', tags: [], type: 'agent' },
        ...{ repoHostUrl: `https://github.com/${repository()}`, parentId: null },
        lockCredential: async () => undefined,
      });
    },
    'a delisting': () =>
      delistListing(work.database, { text: repository(), reason: 'It was spam', publicUrls }),
    'a relisting': () => relistListing(work.database, repository(), publicUrls),
    'an advisory': async () => {
      const name = repository().split('/')[1] ?? '';
      const changes = { modified: `2026-11-${10 + random.below(15)}T00:00:00Z` };
      const withdrawn = one([{}, { withdrawn: changes.modified }]);
      await storeOsv(work.database, osvRecord(`MAL-2026-${name}`, name, { ...changes, ...withdrawn }));
      await refreshAllStandings(work.database);
      await score();
    },
    'a proof of a creator': () =>
      work.database.query('UPDATE creator SET verified = NOT verified WHERE handle = $1', [
        one(['acme', 'other']),
      ]),
    'time passes': async () => {
      days += random.below(30);
      await shiftClock(work.database, `${days} days`);
      await recompute(work.database, embeddedBackend);
    },
    scores: score,
    distributions: () => computeScoreDistributions(work.database),
  };
}

it('is the directory, row by row, after any changes', async () => {
  const random = seededRandom();
  const changes = changesBy(random);
  const names = Object.keys(changes);
  // Enough entries of one category for a distribution.
  await work.store(
    ...Array.from({ length: 25 }, (_, n) =>
      listing(`base/tool-${n}`, { stars: n * n * 10, forks: n, lastCommit: '2026-11-01T00:00:00Z' }),
    ),
  );
  const happen = async () => {
    const name = names[random.below(names.length)] as string;
    // Some changes are refused, such as delisting a repository that is not listed.
    const refused = await changes[name]?.().then(
      () => '',
      (error: Error) => `, refused: ${error.message}`,
    );
    return `${name}${refused}`;
  };
  await publishAll(work.database);
  await mirror.start(happen);

  const done: string[] = [];
  const effective = () => done.filter((name) => !name.includes('refused')).length;
  // Steps are random. Repeats them until the mirror has applied enough changes for the test to be meaningful.
  const isEnough = () => mirror.applied > LEAST_APPLIED && effective() > LEAST_EFFECTIVE;
  for (let step = 0; step < LEAST_STEPS || (step < 400 && !isEnough()); step += 1) {
    done.push(await happen());
    if (random.chance(0.3)) continue;
    await publishAll(work.database);
    await mirror.follow();
    const [copied, listed] = [sortById(mirror.agents.values()), await readList(read)];
    expect(copied, `after ${done.join('; ')}`).toEqual(listed);
    const subjects = await readSubjects(work.database, read);
    expect(new Map([...mirror.subjects].sort()), `after ${done.join('; ')}`).toEqual(subjects);
    expect(mirror.unannounced, `after ${done.join('; ')}`).toEqual([]);
  }

  expect(mirror.applied).toBeGreaterThan(LEAST_APPLIED);
  expect(effective()).toBeGreaterThan(LEAST_EFFECTIVE);
});
