import { refreshListings, scheduleReadableHosts } from '../../server/src/intake/refresh/refresh-run.ts';
import { recheckLinkedAccounts } from '../../server/src/ownership/proofs/recheck-linked-accounts.ts';
import { embeddedBackend as backend } from '../../server/src/scoring/embedded/embedded-backend.ts';
import type {
  StandInAccount,
  StandInRepository,
} from '../../server/testing/stand-ins/stand-in-host-world.ts';
import type { Attempt, Forgery, Gain } from './forgery.ts';
import { importListing, prove } from './freed-handles.ts';

const CREATED = '2020-02-03T04:05:06Z';
const FOREIGN_CREATED = '2012-01-01T01:02:03Z';
const LICENSE = 'Apache-2.0';
const GITHUB = 'github.com';
const GITLAB = 'gitlab.com';

/** Makes the server read the repository of every listing from its host. */
async function refresh({ world: { database, hosts } }: Attempt): Promise<void> {
  const readable = await scheduleReadableHosts(database, hosts);
  await database.query("UPDATE repository_refresh SET next_check_at = ledger_now() - interval '1 second'");
  await refreshListings({ database, hosts, backend }, readable, { signal: new AbortController().signal });
}

/** Checks the attacker's proofs again. */
async function recheck({ world: { database, hosts }, person }: Attempt): Promise<void> {
  await database.query('UPDATE linked_account SET check_due_at = ledger_now() WHERE account_id = $1', [
    person.accountId,
  ]);
  await recheckLinkedAccounts({ database, hosts, backend });
}

/** Tries to register the listing for the attacker; returns what the attacker has gained, before or by the registration. */
async function gainOf(attempt: Attempt, host: string, name: string): Promise<Gain> {
  const before = await attackersShare(attempt, host, name);
  const words = { name: 'Taken', description: 'Taken over.', category: 'coding', tags: [] };
  const repoHostUrl = `https://${host}/${name}`;
  await attempt.person.call('POST', '/api/agents/register', { repoHostUrl, ...words });
  const gained = [...new Set([...before, ...(await attackersShare(attempt, host, name))])];
  return gained.length === 0 ? null : gained.join(', ');
}

/**
 * Returns what the attacker has gained: the listing's mark (`verified`), or its texts. No other account of the test can
 * change them.
 */
async function attackersShare({ world }: Attempt, host: string, name: string): Promise<string[]> {
  const [row] = await world.database.query<{ isMarked: boolean; isRenamed: boolean }>(
    `SELECT l.verified AS "isMarked", l.name = 'Taken' AS "isRenamed"
     FROM listing l WHERE l.host = $1 AND l.repository = $2`,
    [host, name],
  );
  if (row === undefined) throw new Error('the listing is gone');
  return [...(row.isMarked ? ['the mark'] : []), ...(row.isRenamed ? ['the texts'] : [])];
}

/** Creates the attacker's host account and repository under the names that the owner of a listing gave up. */
function moveIn(
  { world, victim, number }: Attempt,
  changes: Partial<StandInRepository> = {},
): StandInAccount {
  const account = world.standIn.world.account({ handle: victim, createdAt: '2010-01-01T00:00:00Z' });
  const name = `${victim}/robot`;
  world.standIn.world.repository({ id: `9200${number}`, name, ownerId: account.id, ...changes });
  return account;
}

/** Creates a forgery that tries to get the listing `<victim>/robot` on GitHub. */
function getListing(forged: string, take: (attempt: Attempt, name: string) => Promise<unknown>): Forgery {
  return {
    forged,
    where: GITHUB,
    async run(attempt) {
      const name = `${attempt.victim}/robot`;
      await take(attempt, name);
      return gainOf(attempt, GITHUB, name);
    },
  };
}

/** Creates a forgery in which an import states facts of the attacker's repository under the name of the victim's listing. */
const importedAnew = (forged: string, hasId: boolean) =>
  getListing(forged, async (attempt, name) => {
    const { world, person, number } = attempt;
    await importListing(world, name, { createdAt: CREATED });
    const stated = hasId ? { githubRepoId: Number(`9200${number}`) } : {};
    await importListing(world, name, { createdAt: FOREIGN_CREATED, ...stated });
    await prove(attempt, person, moveIn(attempt, { createdAt: FOREIGN_CREATED }));
  });

/** Creates a forgery in which the server itself reads the attacker's repository under the name of the victim's listing. */
const readAnew = (
  forged: string,
  known: { createdAt?: string; license?: string },
  shown: Partial<StandInRepository>,
) =>
  getListing(forged, async (attempt, name) => {
    const { world, person, attacker, number } = attempt;
    await importListing(world, name, known);
    await importListing(world, `${attacker}/robot`, { githubRepoId: Number(`9200${number}`) });
    const account = moveIn(attempt, shown);
    for (let times = 0; times < 3; times += 1) await refresh(attempt);
    await prove(attempt, person, account);
    await refresh(attempt);
  });

const AFTER_A_GAP = getListing(
  'a repository of another licence, under a name where nothing was found for a time',
  async (attempt, name) => {
    await importListing(attempt.world, name, { license: LICENSE });
    await refresh(attempt);
    await prove(attempt, attempt.person, moveIn(attempt, { license: 'MIT' }));
  },
);

const UNDER_A_FORMER_NAME: Forgery = {
  forged: 'an import under the former owner’s name',
  where: GITHUB,
  async run(attempt) {
    const { world, person, victim, attacker, number } = attempt;
    const seller = world.standIn.world.account({ handle: attacker });
    const owner = world.standIn.world.account({ handle: victim });
    const githubRepoId = Number(`9200${number}`);
    const name = `${victim}/robot`;
    world.standIn.world.repository({ id: String(githubRepoId), name, ownerId: owner.id });
    await importListing(world, name, { githubRepoId });
    await prove(attempt, await world.person(`owner${number}`), owner);
    await prove(attempt, person, seller);
    await importListing(world, `${attacker}/robot`, { githubRepoId });
    return gainOf(attempt, GITHUB, `${attacker}/robot`);
  },
};

/** Creates a forgery in which the attacker's project has moved into a subgroup of the victim's group. */
const intoSubgroup = (forged: string, read: (attempt: Attempt) => Promise<void>): Forgery => ({
  forged,
  where: GITLAB,
  async run(attempt) {
    const { world, person, victim, attacker } = attempt;
    const group = (handle: string) =>
      world.standIn.world.account({ api: 'gitlab', handle, isOrganisation: true });
    const own = group(attacker);
    const name = `${attacker}/tool`;
    const project = world.standIn.world.repository({ api: 'gitlab', name, ownerId: own.id });
    await importListing(world, name, { host: GITLAB });
    await prove(attempt, person, own, GITLAB);
    group(victim);
    project.ownerId = group(`${victim}/inner`).id;
    await read(attempt);
    return gainOf(attempt, GITLAB, name);
  },
});

/** Forgeries in which an import or a reading of the host describes another repository than the listed one. */
export const DOUBTFUL_LISTING_FORGERIES: readonly Forgery[] = [
  importedAnew('an import of another repository under the listing’s name, with its id', true),
  importedAnew('an import of another repository under the listing’s name, without an id', false),
  UNDER_A_FORMER_NAME,
  readAnew(
    'readings that contradict the creation date',
    { createdAt: CREATED },
    { createdAt: FOREIGN_CREATED },
  ),
  readAnew('readings that contradict the licence', { license: LICENSE }, { license: 'MIT' }),
  AFTER_A_GAP,
  intoSubgroup('a project sold into a subgroup, after a refresh of the listing', refresh),
  intoSubgroup('a project sold into a subgroup, after a check of the proof', recheck),
];

/** Genuine proofs by the owner of the listed repository. Each must give the owner the listing. */
export const GENUINE_LISTINGS: readonly Forgery[] = [
  getListing('a listing that was imported twice, with one creation date', async (attempt, name) => {
    for (let times = 0; times < 2; times += 1)
      await importListing(attempt.world, name, { createdAt: CREATED });
    await prove(attempt, attempt.person, moveIn(attempt, { createdAt: CREATED }));
  }),
  getListing('a repository that was away for a time, with its licence', async (attempt, name) => {
    await importListing(attempt.world, name, { license: LICENSE });
    await refresh(attempt);
    await prove(attempt, attempt.person, moveIn(attempt, { license: LICENSE }));
  }),
  {
    forged: 'a project that stays in its group',
    where: GITLAB,
    async run(attempt) {
      const { world, person, attacker } = attempt;
      const own = world.standIn.world.account({ api: 'gitlab', handle: attacker, isOrganisation: true });
      const name = `${attacker}/tool`;
      world.standIn.world.repository({ api: 'gitlab', name, ownerId: own.id });
      await importListing(world, name, { host: GITLAB });
      await prove(attempt, person, own, GITLAB);
      await refresh(attempt);
      await recheck(attempt);
      return gainOf(attempt, GITLAB, name);
    },
  },
];
