import type { Connection } from '../database/connect.ts';
import { errorCode } from '../database/database-errors.ts';
import { DomainError } from '../domain-error.ts';
import { type AccountBucket, readBucket } from './account-buckets.ts';
import { ADJUST } from './adjust.sql.ts';
import { requireNote } from './note.ts';

export interface Adjustment {
  accountId: string;
  bucketId: number;
  /** Credits (calls where the source is `free`) to add; below 0 to take away. */
  credits: number;
  note: string;
}

/** The largest number that one adjustment adds or takes. */
const MOST = 1_000_000_000;
const CHECK_VIOLATION = '23514';

/**
 * Corrects one bucket by a number of credits, with its ledger entry, in one statement; answers the bucket as it then is.
 * Throws not_found, and invalid_request where less would be left than is used and held, where the bucket's time is over,
 * or where it is overage, which follows the account's agreement.
 */
export async function adjust(connection: Connection, input: Adjustment): Promise<AccountBucket> {
  const { accountId, bucketId, credits } = input;
  if (!Number.isInteger(credits) || credits === 0 || Math.abs(credits) > MOST) {
    throw new DomainError('invalid_request', `An adjustment is a whole number, not 0, of at most ${MOST}.`);
  }
  const bind = [accountId, bucketId, credits, requireNote(input.note)];
  const adjusted = await connection.query(ADJUST, bind).catch((error) => {
    if (errorCode(error)?.code === CHECK_VIOLATION) return 'too much';
    throw error;
  });
  const bucket = await readBucket(connection, accountId, bucketId);
  if (!bucket) throw new DomainError('not_found', 'The account has no bucket with this id.');
  if (adjusted === 'too much') throw tooMuch(bucket);
  if (adjusted.length === 0) throw refusal(bucket);
  return bucket;
}

function tooMuch({ source, used, held, left }: AccountBucket): DomainError {
  return new DomainError(
    'invalid_request',
    `No more than ${left} can be taken from this ${source} bucket: ${used} are used and ${held} are held by calls under way.`,
  );
}

function refusal({ source, to }: AccountBucket): DomainError {
  if (source === 'overage') {
    return new DomainError(
      'invalid_request',
      'Overage follows the cap that the account agreed to. Change that instead.',
    );
  }
  return new DomainError(
    'invalid_request',
    `The bucket's time is over (${to}) or its account was deleted: nothing can be paid from it. Grant credits instead.`,
  );
}
