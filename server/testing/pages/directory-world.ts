import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/platform/database/connect.ts';
import { scoreSubjects } from '../../src/scoring/batches/score-subjects.ts';
import { embeddedBackend } from '../../src/scoring/embedded/embedded-backend.ts';
import { setClock } from '../clock.ts';
import { writeListings } from '../outdated-copies.ts';
import { makePlatformAccount } from '../subjects/account.factory.ts';
import {
  type MadeCreator,
  type MadeListing,
  makeArtifact,
  makeCreator,
  makeListing,
  passOn,
} from '../subjects/registry.factory.ts';

/** Fixed time of the pictures, so that ages never change. */
const TODAY = '2026-11-20T09:00:00Z';
/** Times of earlier scores, which form a history. */
const EARLIER = ['2026-05-02T08:00:00Z', '2026-07-15T08:00:00Z', '2026-09-28T08:00:00Z'];

/** Directory with everything that a page can show, scored by the embedded method, with a fixed clock. */
export interface DirectoryWorld {
  readonly accountId: string;
  readonly creator: MadeCreator;
  readonly robot: MadeListing;
}

/** Fills an empty database with a replaced clock. */
export async function makeDirectoryWorld(database: Database): Promise<DirectoryWorld> {
  await setClock(database, '2026-05-01T08:00:00Z');
  const { accountId, creator } = await makeProvedCreator(database);
  const robot = await makeFamily(database, creator);
  await makeStrangers(database);
  await makeAccounts(database, creator);
  await makeRelations(database);
  for (const moment of [...EARLIER, TODAY]) {
    await setClock(database, moment);
    const stars = 140 * (EARLIER.indexOf(moment) + 3);
    await writeListings(database, 'UPDATE listing SET stars = $2 WHERE subject_id = $1', [robot.id, stars]);
    await scoreEverything(database);
  }
  return { accountId, creator, robot };
}

async function makeProvedCreator(database: Database): Promise<{ accountId: string; creator: MadeCreator }> {
  const accountId = randomUUID();
  await database.query("INSERT INTO account (id, handle, plan) VALUES ($1, 'acme', 'builder')", [accountId]);
  const creator = await makeCreator(database, {
    handle: 'acme',
    displayName: 'Acme Robotics',
    verified: true,
    accountId,
  });
  const proofs = [
    ['repo_host', 'github.com', 'acme'],
    ['node_packages', 'npmjs.com', 'acme'],
  ];
  for (const [kind, host, handle] of proofs) {
    await database.query(
      `INSERT INTO linked_account (id, account_id, kind, host, handle, proved_at, proved_by, host_account_id,
         host_account_created_at, checked_at, check_due_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, '2026-11-01', 'code', '4217', '2019-03-04', '2026-11-14', '2026-12-14')`,
      [accountId, kind, host, handle],
    );
  }
  return { accountId, creator };
}

/** Creates three generations of listings, artifacts, and a former creator. */
async function makeFamily(database: Database, creator: MadeCreator): Promise<MadeListing> {
  const base = await makeListing(database, {
    repository: 'openbench/harness',
    type: 'agent',
    name: 'Harness',
    description: 'Runs one task in a sandbox and reports what it did, step by step.',
    category: 'automation',
    stars: 8_400,
    forks: 900,
    openIssues: 60,
    license: 'Apache-2.0',
    lastCommitAt: '2026-11-10T12:00:00Z',
  });
  const former = await makeCreator(database, { handle: 'robin-writes', displayName: 'Robin Okafor' });
  const robot = await makeListing(database, {
    repository: 'acme/changelog-agent',
    type: 'agent',
    name: 'Changelog Agent',
    description:
      'Reads the commits since the last release, asks about what it cannot tell from them, and writes the release notes.',
    category: 'coding',
    tags: ['release-notes', 'git', 'semantic-versioning', 'ci'],
    creator: former,
    stars: 420,
    forks: 38,
    openIssues: 12,
    license: 'MIT',
    homepage: 'https://changelog.example/docs',
    lastCommitAt: '2026-11-12T16:20:00Z',
    npmPackage: '@acme/changelog-agent',
    parentId: base.id,
    acknowledged: true,
    verified: true,
  });
  await passOn(database, robot.id, creator.id);
  const child = await makeListing(database, {
    repository: 'weekly/digest',
    type: 'skill',
    name: 'Weekly Digest',
    description: 'Turns a week of changelogs into one letter.',
    parentId: robot.id,
    stars: 31,
    license: 'MIT',
  });
  for (const name of [
    'translate-notes',
    'notes-for-mobile',
    'changelog-agent-but-with-a-very-long-repository-name',
  ]) {
    await makeListing(database, {
      repository: `fork-of/${name}`,
      parentId: robot.id,
      acknowledged: name === 'translate-notes',
    });
  }
  await makeListing(database, { repository: 'letters/print-edition', parentId: child.id });
  await makeArtifact(database, robot, { name: 'write-notes', path: 'skills/write-notes' });
  await makeArtifact(database, robot, {
    name: 'ask-author',
    path: 'skills/ask-author',
    npmPackage: '@acme/ask-author',
  });
  await database.query(
    `UPDATE artifact SET description = 'Writes the notes of one release from its commits and pull requests.'
     WHERE name = 'write-notes'`,
  );
  return robot;
}

/** Creates unclaimed listings, some with names that are hard to lay out. */
async function makeStrangers(database: Database): Promise<void> {
  await makeListing(database, {
    repository: 'unknown-hands/notes',
    name: 'Notes',
    description: '',
    category: 'productivity',
  });
  await makeListing(database, {
    repository: `${'very-long-owner-'.repeat(2)}x/${'unbroken'.repeat(9)}`,
    name: 'Unbroken'.repeat(12),
    description: 'A'.repeat(280),
    category: 'other',
    tags: ['t'.repeat(50), 'مهارة', 'навык'],
    stars: 1_234_567,
    forks: 98_765,
    openIssues: 4_321,
    lastCommitAt: '2020-02-29T00:00:00Z',
    license: 'LicenseRef-Proprietary-With-A-Long-Name-1.0',
    homepage: `https://example.com/${'path/'.repeat(20)}`,
  });
  await makeListing(database, {
    repository: 'dalīl/bāḥith',
    name: 'باحث في الأرشيف',
    description: 'يبحث في الأرشيف ويعيد المصادر مع اقتباساتها.',
    category: 'research',
    stars: 12,
  });
  for (let index = 1; index <= 44; index += 1) {
    await makeListing(database, {
      repository: `maker-${index}/tool-${index}`,
      name: `Tool ${index}`,
      description: `Does by itself what ${index} people once did by hand, and says when it could not.`,
      type: index % 3 === 0 ? 'agent' : 'skill',
      category: ['coding', 'data', 'research', 'communication', 'other'][index % 5] ?? 'other',
      stars: index * 17,
      forks: index,
      openIssues: index % 7,
      license: index % 4 === 0 ? null : 'MIT',
      lastCommitAt: '2026-10-01T00:00:00Z',
    });
  }
}

/** Creates relations: a file in three repositories, a copied repository, an old name, and an abandoned listing. */
async function makeRelations(database: Database): Promise<void> {
  const notes = ['acme/changelog-agent', 'skills/write-notes/SKILL.md'] as const;
  const said = [
    ['identical_skill_file', ['openbench/harness', 'examples/notes/SKILL.md'], notes, false, false],
    ['identical_skill_file', ['elsewhere/not-listed', 'notes/SKILL.md'], notes, false, false],
    ['copied_from', ['fork-of/translate-notes', null], ['acme/changelog-agent', null], true, true],
    ['probable_rename_to', ['maker-1/tool-1', null], ['maker-2/tool-2', null], true, false],
  ] as const;
  for (const [type, [from, fromPath], [to, toPath], directed, stated] of said) {
    await database.query(
      `INSERT INTO relation (type, from_repository, from_path, to_repository, to_path, from_listing_id, to_listing_id,
         directed, stated, evidence, source)
       SELECT $1, $2, $3, $4, $5, (SELECT subject_id FROM listing WHERE repository = $2),
         (SELECT subject_id FROM listing WHERE repository = $4), $6, $7, $8, 'acme/list'`,
      [type, from, fromPath, to, toPath, directed, stated, 'both say the same, word for word'],
    );
  }
  await database.query(`UPDATE listing SET archived = true WHERE repository = 'maker-7/tool-7'`);
  await database.query(
    `UPDATE listing SET imported = '{"mcpRegistryName":"io.github.acme/changelog-agent"}'
     WHERE repository = 'acme/changelog-agent'`,
  );
}

async function makeAccounts(database: Database, creator: MadeCreator): Promise<void> {
  await makePlatformAccount(database, {
    handle: 'AcmeRobotics',
    name: 'Acme Robotics',
    url: 'https://x.com/AcmeRobotics',
    ownerId: creator.id,
    verifiedMark: true,
    audience: 18_250,
    audienceDayGrowth: 0.002,
    engagement: 0.031,
    accountCreatedAt: '2019-03-04T00:00:00Z',
    lastPostAt: '2026-11-18T00:00:00Z',
    crossLink: 'both',
    formerHandles: ['acme_bots'],
    observedAt: '2026-11-19T00:00:00Z',
  });
  await makePlatformAccount(database, {
    type: 'messaging_account',
    kind: 'channel',
    handle: 'free_agents_airdrop',
    name: 'Free Agents Airdrop',
    scamFlag: true,
    audience: 90_000,
    audienceDayGrowth: 0.8,
    observedAt: '2026-11-19T00:00:00Z',
  });
}

async function scoreEverything(database: Database): Promise<void> {
  // Make one repository older, so that the first owner of identical files is the same in every run.
  await database.query(
    `UPDATE listing SET metrics_observed_at = ledger_now(),
       repository_created_at = CASE repository WHEN 'openbench/harness' THEN $1::timestamptz ELSE $2 END`,
    ['2023-06-01T00:00:00Z', '2024-02-10T00:00:00Z'],
  );
  const subjects = await database.query<{ id: string }>('SELECT id FROM subject ORDER BY name, type, id');
  await scoreSubjects(
    database,
    embeddedBackend,
    subjects.map(({ id }) => id),
  );
}
