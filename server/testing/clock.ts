import type { Connection } from '../src/database/connect.ts';

/**
 * Puts a clock under the test's control into its own database: ledger_now() then reads a one-row table. It runs with
 * real time until `setClock` or `shiftClock` says otherwise.
 */
export async function replaceClock(connection: Connection): Promise<void> {
  await connection.query('CREATE TABLE test_clock (fixed timestamptz, shift interval NOT NULL)');
  await connection.query("INSERT INTO test_clock VALUES (NULL, '0')");
  await connection.query(`CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT coalesce(fixed, clock_timestamp() + shift) FROM test_clock'`);
}

/** Stops the clock at a moment (ISO 8601); null lets it run with real time again. */
export async function setClock(connection: Connection, moment: string | null): Promise<void> {
  await connection.query("UPDATE test_clock SET fixed = $1, shift = '0'", [moment]);
}

/** Lets the clock run ahead of real time by an interval such as `40 days`, or behind it by `-1 hour`. */
export async function shiftClock(connection: Connection, interval: string): Promise<void> {
  await connection.query('UPDATE test_clock SET fixed = NULL, shift = $1::interval', [interval]);
}
