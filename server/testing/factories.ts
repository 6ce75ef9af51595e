import { randomBytes, randomUUID } from 'node:crypto';
import { openSession } from '../src/access/callers/session.ts';
import { type CreatedKey, createKey } from '../src/access/keys/create-key.ts';
import { type PlanBook, readPlanBook } from '../src/access/plans/plans.ts';
import { createAccount } from '../src/accounts/account-lifecycle.ts';
import { withOperatorSession } from '../src/accounts/sign-in/sign-in-link.ts';
import { grant } from '../src/billing/ledger/grant-and-adjust.ts';
import { addListingCopies } from '../src/catalog/listings/write-listings.ts';
import { creatorAliases, listingAliases } from '../src/catalog/subjects/stored-aliases.ts';
import { addAliases } from '../src/catalog/subjects/subject-alias.queries.ts';
import type { Connection, Database } from '../src/platform/database/connect.ts';
import { type Credential, KEY_SCOPES } from '../src/platform/http/credentials/principal.ts';
import { hashSecret } from '../src/platform/http/credentials/secret.ts';

/** Plans of the built-in file. */
export const PLAN_BOOK: PlanBook = readPlanBook(new URL('../plans.json', import.meta.url).pathname);

function unique(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
}

export interface TestAccount {
  accountId: string;
  handle: string;
  key: CreatedKey;
}

/** Creates an account with one key that has all scopes. */
export async function makeAccount(
  database: Database,
  options: { plan?: string; handle?: string } = {},
): Promise<TestAccount> {
  const account = await createAccount(database, PLAN_BOOK, {
    handle: options.handle ?? unique('account'),
    plan: options.plan ?? 'free',
  });
  const key = await makeKey(database, account.id);
  return { accountId: account.id, handle: account.handle, key };
}

/** Creates another key of an account through an operator session, as outside of tests. */
export function makeKey(
  database: Database,
  accountId: string,
  options: { scopes?: readonly string[]; expiresAt?: string | null } = {},
): Promise<CreatedKey> {
  const { scopes = KEY_SCOPES, expiresAt = null } = options;
  return withOperatorSession(database, accountId, (sessionId) =>
    createKey(database, PLAN_BOOK, { sessionId, name: 'test', scopes, expiresAt }),
  );
}

/** Returns the credential of a key. */
export function credentialOf(key: { secret: string }): Credential {
  return { kind: 'key', hash: hashSecret(key.secret) };
}

/** Opens a session of an account; `cookie` is what a browser would send to a server without https. */
export async function makeSession(
  database: Database,
  accountId: string,
): Promise<{ sessionId: string; token: string; cookie: string }> {
  const session = await openSession(database, accountId, 'sign_in');
  return { ...session, cookie: `sid=${session.token}` };
}

/** Grants credits to an account in a new bucket. */
export function giveCredits(
  database: Database,
  accountId: string,
  credits: number,
  source: 'gifted' | 'purchased' = 'gifted',
) {
  return grant(database, { accountId, source, credits, months: 24, note: 'test' });
}

export interface TestListing {
  subjectId: string;
  agentId: string;
  creatorId: string;
  repository: string;
}

export interface ListingOptions {
  type?: 'agent' | 'skill';
  owner?: string;
  name?: string;
  stars?: number;
}

const ID_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function newAgentId(): string {
  return `AGT-${[...randomBytes(8)].map((byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join('')}`;
}

async function insertSubject(connection: Connection, type: string, name: string): Promise<string> {
  const id = randomUUID();
  await connection.query('INSERT INTO subject (id, type, name) VALUES ($1, $2, $3)', [id, type, name]);
  return id;
}

/** Creates a listing with enough evidence for a score, its creator and their names; not scored yet. */
export async function makeListing(
  connection: Connection,
  options: ListingOptions = {},
): Promise<TestListing> {
  const { type = 'agent', owner = unique('owner'), name = unique('repo'), stars = 120 } = options;
  const repository = `${owner}/${name}`;
  const creatorId = await insertSubject(connection, 'creator', owner);
  await connection.query("INSERT INTO creator (subject_id, host, handle) VALUES ($1, 'github.com', $2)", [
    creatorId,
    owner,
  ]);
  const subjectId = await insertSubject(connection, type, name);
  const agentId = newAgentId();
  await connection.query(
    `INSERT INTO listing (subject_id, registry_row_id, agent_id, type, kind, name, description, category, tags, creator_id,
       host, repository, repository_url, license, stars, forks, open_issues, last_commit_at, repository_created_at,
       metrics_observed_at, source)
     VALUES ($1, gen_random_uuid(), $2, $3, $3, $4, 'A listing made for a test', 'coding', '{test}', $5, 'github.com', $6, $7,
       'MIT', $8, 6, 2, ledger_now() - interval '10 days', ledger_now() - interval '300 days', ledger_now(), 'test')`,
    [subjectId, agentId, type, name, creatorId, repository, `https://github.com/${repository}`, stars],
  );
  await addListingCopies(connection, [{ subject_id: subjectId, words: [] }]);
  const packages = { npmPackage: null, pypiPackage: null };
  await addAliases(connection, [
    {
      subjectId,
      subjectType: type,
      aliases: listingAliases({
        id: subjectId,
        agentId,
        host: 'github.com',
        repository,
        name,
        ...packages,
        formerRepositories: [],
      }),
    },
    {
      subjectId: creatorId,
      subjectType: 'creator',
      aliases: creatorAliases({ id: creatorId, host: 'github.com', handle: owner, displayName: null }),
    },
  ]);
  return { subjectId, agentId, creatorId, repository };
}
