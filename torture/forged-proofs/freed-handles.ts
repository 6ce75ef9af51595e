import { lockRegistry } from '../../server/src/catalog/registry-locks.ts';
import { parseRow } from '../../server/src/intake/import/parse-row.ts';
import { inTransaction } from '../../server/src/platform/database/transaction.ts';
import { listing as listingRow, type Row } from '../../server/testing/import/rows.ts';
import { saveRows } from '../../server/testing/import/save-rows.ts';
import type {
  StandInAccount,
  StandInRepository,
} from '../../server/testing/stand-ins/stand-in-host-world.ts';
import type { ForgedWorld, Person } from './forged-world.ts';
import type { Attempt, Forgery, Gain } from './forgery.ts';

const FILED_ID = '8100';

/** An owner on the host with one repository, which an import lists with the repository's id. */
interface Listed {
  owner: StandInAccount;
  repository: StandInRepository;
  name: string;
}

/** Imports a listing, as an operator's source states it. */
export async function importListing({ database }: ForgedWorld, name: string, stated: Row): Promise<void> {
  const row = parseRow(JSON.stringify(listingRow(name, stated)));
  if ('reason' in row) throw new Error(row.reason);
  await inTransaction(database, async (connection) => {
    await lockRegistry(connection);
    await saveRows(connection, [row]);
  });
}

async function list({ world, victim, number }: Attempt): Promise<Listed> {
  const name = `${victim}/robot`;
  const owner = world.standIn.world.account({ handle: victim });
  const repository = world.standIn.world.repository({ name, id: `${FILED_ID}${number}` });
  // Link the repository to its owner by id, so that it stays the owner's after a rename.
  Object.assign(repository, { ownerId: owner.id });
  await importListing(world, name, { githubRepoId: repository.id });
  return { owner, repository, name };
}

/** Renames the owner and the repository on the host; the old handle is then free. */
function rename({ owner, repository }: Listed): void {
  owner.handle = `${owner.handle}renamed`;
  repository.name = `${owner.handle}/robot`;
}

/** Proves a host account that the person really owns. Adds the account to the host first if it is not there yet. */
export async function prove(
  { world }: Attempt,
  who: Person,
  account: StandInAccount,
  host = 'github.com',
): Promise<void> {
  const link = await who.link({ kind: 'repo_host', host, handle: account.handle });
  if (!world.standIn.world.accounts.includes(account)) world.standIn.world.accounts.push(account);
  account.profile = link.body.code;
  const proved = await who.verify(link.body.id);
  if (proved.status !== 200) throw new Error(`not proved: ${JSON.stringify(proved.body)}`);
}

/**
 * Tries to register the victim's listing and returns what the attacker gained: the listing itself, its mark
 * (`verified`), or its texts.
 */
async function gainOfListing({ world, person, number }: Attempt, name: string): Promise<Gain> {
  const words = { name: 'Taken', description: 'Taken over.', category: 'coding', tags: [] };
  await person.call('POST', '/api/agents/register', { repoHostUrl: `https://github.com/${name}`, ...words });
  const [row] = await world.database.query<{ isTheirs: boolean; verified: boolean; name: string }>(
    `SELECT coalesce(c.account_id = $2, false) AS "isTheirs", l.verified, l.name
     FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE l.host_repository_id = $1`,
    [`${FILED_ID}${number}`, person.accountId],
  );
  if (row === undefined) throw new Error('the listing is gone');
  const gained = [
    ...(row.isTheirs ? ['the listing'] : []),
    ...(row.isTheirs && row.verified ? ['its mark'] : []),
    ...(row.name === 'Taken' ? ['its texts'] : []),
  ];
  return gained.length === 0 ? null : gained.join(', ');
}

/** Creates a forgery in which the attacker's host account has taken the handle that the owner of a listing gave up. */
function withFreedHandle(
  forged: string,
  attackers: (attempt: Attempt, listed: Listed) => Partial<StandInAccount>,
  before: (attempt: Attempt, listed: Listed) => Promise<unknown> = async () => undefined,
  after: (attempt: Attempt, listed: Listed) => unknown = () => undefined,
): Forgery {
  return {
    forged,
    where: 'github.com',
    async run(attempt) {
      const listed = await list(attempt);
      await before(attempt, listed);
      rename(listed);
      const account = attempt.world.standIn.world.account({
        handle: attempt.victim,
        createdAt: '2026-11-20T00:00:00Z',
        ...attackers(attempt, listed),
      });
      after(attempt, listed);
      await prove(attempt, attempt.person, account);
      return gainOfListing(attempt, listed.name);
    },
  };
}

/** Puts another repository of that name under the freed handle. */
const resurrect =
  (changes: Partial<StandInRepository>) =>
  ({ world }: Attempt, { name }: Listed) =>
    void world.standIn.world.repository({ name, ...changes });

async function proveOwner(attempt: Attempt, { owner }: Listed): Promise<void> {
  await prove(attempt, await attempt.world.person(`owner${attempt.number}`), owner);
}

/**
 * Forgeries in which the attacker's host account has taken over a handle that its former owner gave up, and proves that
 * handle.
 */
export const FREED_HANDLE_FORGERIES: readonly Forgery[] = [
  withFreedHandle('a freed handle, by a fresh account', () => ({})),
  withFreedHandle('a freed handle, by an account older than the owner', () => ({
    createdAt: '2009-01-01T00:00:00Z',
  })),
  withFreedHandle(
    'a freed handle, with a fresh repository of the old name',
    () => ({}),
    undefined,
    resurrect({ createdAt: '2026-11-21T00:00:00Z' }),
  ),
  withFreedHandle(
    'a freed handle, with an old repository renamed to the old name',
    () => ({ createdAt: '2009-01-01T00:00:00Z' }),
    undefined,
    resurrect({ createdAt: '2010-01-01T00:00:00Z' }),
  ),
  withFreedHandle('a freed handle of an owner who had proved it', () => ({}), proveOwner),
  withFreedHandle(
    'a freed handle of a proved owner, with a fresh repository of the old name',
    () => ({}),
    proveOwner,
    resurrect({ createdAt: '2026-11-21T00:00:00Z' }),
  ),
  withFreedHandle(
    'a freed handle of an account that the host deleted',
    () => ({}),
    undefined,
    ({ world }, { owner, repository }) => {
      world.standIn.world.accounts.splice(world.standIn.world.accounts.indexOf(owner), 1);
      world.standIn.world.repositories.splice(world.standIn.world.repositories.indexOf(repository), 1);
    },
  ),
];
