import type { Database } from '../database/connect.ts';
import { sharedRoom } from '../database/shared-room.ts';
import type { Meter } from './meter.ts';

type Pool = Pick<Database, 'poolState'>;

/** Tells of the sessions of each pool, and of what waits to travel together on the ledger's. */
export function tellPools(
  meter: Meter,
  pools: { readonly ledger: Database; readonly reads: Pool; readonly [replica: `replica_${number}`]: Pool },
): void {
  const each = Object.entries<Pool>(pools);
  const states = () => each.map(([pool, { poolState }]) => ({ pool, ...poolState() }));
  meter.readFrom('trust_directory_pool_sessions', () =>
    states().flatMap(({ pool, inUse, idle }) => [
      { labels: { pool, state: 'in_use' }, value: inUse },
      { labels: { pool, state: 'idle' }, value: idle },
    ]),
  );
  meter.readFrom('trust_directory_pool_sessions_max', () =>
    states().map(({ pool, most }) => ({ labels: { pool }, value: most })),
  );
  meter.readFrom('trust_directory_pool_waiting', () =>
    states().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
  );
  meter.readFrom('trust_directory_ledger_waiting', () => [
    { labels: {}, value: sharedRoom(pools.ledger).waiting() },
  ]);
}
