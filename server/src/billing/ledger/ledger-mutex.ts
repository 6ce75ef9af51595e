import { perConnection } from '../../platform/batching/batcher.ts';
import { createKeyedMutex } from '../../platform/batching/keyed-mutex.ts';

/** Runs at most one statement per account at a time: reserve, charge, settle and fail lock the account's buckets. */
export const ledgerMutex = perConnection(createKeyedMutex);
