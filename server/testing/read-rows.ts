import type { Connection, Database } from '../src/platform/database/connect.ts';
import { inTransaction } from '../src/platform/database/transaction.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Wraps a connection to record the statements that contain a text. */
export function noteStatements(connection: Connection, text: string) {
  const sent: { sql: string; bind: readonly unknown[] }[] = [];
  const noting = new Proxy(connection, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return (sql: string, bind: unknown[] = []) => {
        if (sql.includes(text)) sent.push({ sql, bind });
        return target.query(sql, bind);
      };
    },
  });
  return { noting, sent };
}

/** Returns how many rows of a table a statement reads (including filtered ones), and by which kinds of scans. */
export async function rowsReadOf(
  table: string,
  connection: Connection,
  { sql, bind }: { sql: string; bind: readonly unknown[] },
): Promise<{ rows: number; kinds: string[] }> {
  const [row] = await connection.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
    bind,
  );
  const scans = scansOf(table, row?.['QUERY PLAN'][0].Plan);
  const rowsOf = (scan: PlanNode) =>
    (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'];
  return {
    rows: scans.reduce((sum, scan) => sum + rowsOf(scan), 0),
    kinds: scans.map((scan) => scan['Node Type']),
  };
}

function scansOf(table: string, node: PlanNode | undefined): PlanNode[] {
  if (!node) return [];
  const own = node['Relation Name'] === table ? [node] : [];
  return [...own, ...(node.Plans ?? []).flatMap((part) => scansOf(table, part))];
}

/** Counts the rows and index entries of these tables that `work` reads. `setting` is a statement that is executed first. */
export function countReads(
  database: Database,
  tables: readonly string[],
  work: (connection: Connection) => Promise<unknown>,
  setting = 'SELECT 1',
): Promise<number> {
  return inTransaction(database, async (connection) => {
    await connection.query(setting);
    const soFar = async () => {
      const [row] = await connection.query<{ read: number }>(
        `SELECT sum(pg_stat_get_xact_tuples_returned(oid))::int AS read FROM pg_class
         WHERE oid = ANY ($1::regclass[]) OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = ANY ($1::regclass[]))`,
        [tables],
      );
      return row?.read ?? 0;
    };
    const before = await soFar();
    await work(connection);
    return (await soFar()) - before;
  });
}
