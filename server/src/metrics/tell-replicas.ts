import type { ReplicatedReads } from '../database/replicas/replicated-reads.ts';
import type { Meter } from './meter.ts';

/** Tells where public reads went, and how the replicas fare: by their places in the setting, since no label is an address. */
export function tellReplicas(meter: Meter, reads: ReplicatedReads | null): void {
  if (reads === null) return;
  const placed = reads.replicas.map((replica, place) => ({
    replica,
    labels: { replica: String(place + 1) },
  }));
  meter.readFrom('trust_directory_reads_total', () =>
    [...reads.counts].map(([choice, value]) => {
      const [source = '', reason = ''] = choice.split(' ');
      return { labels: { source, reason }, value };
    }),
  );
  meter.readFrom('trust_directory_replica_ready', () =>
    placed.map(({ replica, labels }) => ({ labels, value: replica.status() === 'ready' ? 1 : 0 })),
  );
  meter.readFrom('trust_directory_replica_lag_bytes', async () => {
    const position = await reads.primaryPosition().catch(() => null);
    if (position === null) return [];
    return placed
      .filter(({ replica }) => replica.status() !== 'away')
      .map(({ replica, labels }) => ({ labels, value: Math.max(0, position - replica.position()) }));
  });
}
