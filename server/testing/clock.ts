import type { Connection } from '../src/platform/database/connect.ts';

/**
 * Replaces the clock of the test's database: ledger_now() then reads a one-row table. It follows real time until
 * `setClock` or `shiftClock`.
 */
export async function replaceClock(connection: Connection): Promise<void> {
  await connection.query('CREATE TABLE test_clock (fixed timestamptz, shift interval NOT NULL)');
  await connection.query("INSERT INTO test_clock VALUES (NULL, '0')");
  await connection.query(`CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT coalesce(fixed, clock_timestamp() + shift) FROM test_clock'`);
}

/** Stops the clock at a time (ISO 8601); null makes it follow real time again. */
export async function setClock(connection: Connection, moment: string | null): Promise<void> {
  await connection.query("UPDATE test_clock SET fixed = $1, shift = '0'", [moment]);
}

/** Moves the clock ahead of real time by an interval such as `40 days`, or behind it by `-1 hour`. */
export async function shiftClock(connection: Connection, interval: string): Promise<void> {
  await connection.query('UPDATE test_clock SET fixed = NULL, shift = $1::interval', [interval]);
}
