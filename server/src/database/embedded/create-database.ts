import { withSession } from '../with-session.ts';

/** Makes the database that a URL names where it is not there yet; any number at once make one. */
export async function createDatabaseOnce(url: string): Promise<void> {
  const maintenance = new URL(url);
  const name = maintenance.pathname.slice(1);
  maintenance.pathname = '/postgres';
  await withSession(maintenance.href, {}, async (session) => {
    const { rowCount } = await session.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await session.query(`CREATE DATABASE ${session.escapeIdentifier(name)}`);
  }).catch((error: { code?: string }) => {
    // 42P04, or 23505 when the other first start was in the middle of it: it is there.
    if (!['42P04', '23505'].includes(error.code ?? '')) throw error;
  });
}
