import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeSchema } from '../src/platform/database/describe-schema.ts';
import { migrateUp } from '../src/platform/database/migrate.ts';
import { cloneDatabase } from '../testing/clone-database.ts';
import { startTestServer } from '../testing/test-server.ts';

const FILE = fileURLToPath(new URL('../schema.sql', import.meta.url));

/** Writes `server/schema.sql` from an empty database with all migrations. */
async function main(): Promise<void> {
  const server = await startTestServer();
  try {
    const empty = await cloneDatabase(server.url, 'template0');
    await migrateUp(empty.url);
    writeFileSync(FILE, await describeSchema(empty.database));
    await empty.close();
  } finally {
    await server.stop();
  }
}

await main();
