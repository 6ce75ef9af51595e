import { lockRegistry } from '../../src/catalog/registry-locks.ts';
import { createPublicUrls } from '../../src/catalog/subjects/public-path.ts';
import { presentAgent } from '../../src/directory/agents/agent.presenter.ts';
import { getAgent } from '../../src/directory/agents/get-agent.ts';
import { type Registration, registerAgent } from '../../src/directory/own-agents/register-agent.ts';
import { parseRow } from '../../src/intake/import/parse-row.ts';
import type { ConnectOptions, Database } from '../../src/platform/database/connect.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import { embeddedBackend } from '../../src/scoring/embedded/embedded-backend.ts';
import { creator as creatorRow, listing as listingRow, type Row } from '../import/rows.ts';
import { saveRows } from '../import/save-rows.ts';
import { openFilledWorld, type ProofWorld } from '../proofs/proof-world.ts';

/** Texts of a listing. */
type Words = {
  name: string;
  description: string;
  category: Registration['category'];
  tags: string[];
};

/** Texts of `acme/robot` in the first import, in a later import, and from its owner. */
export const IMPORTED: Words = {
  name: 'Imported Robot',
  description: 'As the import has it.',
  category: 'data',
  tags: ['imported'],
};
export const RENEWED: Words = {
  name: 'Renewed Robot',
  description: 'As a later import has it.',
  category: 'research',
  tags: ['renewed', 'robot'],
};
export const OWN: Words = {
  name: 'My Robot',
  description: 'In my words.',
  category: 'coding',
  tags: ['mine'],
};

/** A world with the imported `acme/robot`, the accounts `acme` and `somebody`, and functions that change listings. */
export interface ImportedWorld extends Omit<ProofWorld, 'empty'> {
  accounts: Record<string, string>;
  importRow(row: Row): Promise<void>;
  register(
    accountId: string,
    repository?: string,
    changes?: Partial<Registration>,
  ): ReturnType<typeof registerAgent>;
  idsOf(repository: string): Promise<{ id: string; subject: string }>;
  /** Returns a listing's texts, verified flag and creator handle, as the API shows them. */
  shown(repository?: string): Promise<Words & { verified: boolean; creator: string }>;
  creatorOf(repository: string): Promise<string>;
  creatorOfAccount(accountId: string): Promise<string | undefined>;
  count(sql: string, bind: unknown[]): Promise<number>;
}

export const publicUrls = createPublicUrls('https://trust.example');
const backend = embeddedBackend;

/** Opens a new, separate world. */
export async function openImportedWorld(options: ConnectOptions = {}): Promise<ImportedWorld> {
  const { world: proofs, made: accounts } = await openFilledWorld('acme/robot', fillWorld, options);
  const { database } = proofs;
  const world: ImportedWorld = {
    ...proofs,
    accounts: { ...accounts },
    importRow: (row) => importRow(database, row),
    register: (accountId, repository = 'acme/robot', changes = {}) =>
      registerAgent(database, {
        ...{ repoHostUrl: `https://github.com/${repository}`, ...OWN, type: null, parentId: null, accountId },
        ...{
          allowedHosts: publicUrls.hosts,
          backend,
          publicUrls,
          lockCredential: async () => undefined,
          hosts: proofs.hosts,
        },
        ...changes,
      }),
    async idsOf(repository) {
      const [row] = await database.query<{ id: string; subject: string }>(
        'SELECT agent_id AS id, subject_id AS subject FROM listing WHERE repository = $1',
        [repository],
      );
      if (!row) throw new Error(`${repository} is not listed`);
      return row;
    },
    async shown(repository = 'acme/robot') {
      const { id } = await world.idsOf(repository);
      const agent = presentAgent(await getAgent(database, id), new Map());
      const { name, description, category, tags, verified } = agent;
      return { name, description, category, tags, verified, creator: agent.creator.handle };
    },
    creatorOf: async (repository) =>
      (await proofs.listing((await world.idsOf(repository)).subject)).creatorId,
    async creatorOfAccount(accountId) {
      const [creator] = await database.query<{ id: string }>(
        'SELECT subject_id AS id FROM creator WHERE account_id = $1',
        [accountId],
      );
      return creator?.id;
    },
    count: async (sql, bind) => (await database.query(sql, bind)).length,
  };
  return world;
}

async function fillWorld({ account, database }: ProofWorld): Promise<Record<string, string>> {
  const accounts = { acme: await account('acme'), somebody: await account('somebody') };
  await importRow(database, listingRow('acme/robot', IMPORTED));
  await importRow(database, creatorRow('acme', { displayName: 'Acme Inc' }));
  return accounts;
}

async function importRow(database: Database, row: Row): Promise<void> {
  const parsed = parseRow(JSON.stringify(row));
  if ('reason' in parsed) throw new Error(parsed.reason);
  await inTransaction(database, async (connection) => {
    await lockRegistry(connection);
    await saveRows(connection, [parsed], backend);
  });
}
