import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import {
  BIGINT,
  BYTES,
  defaulted,
  INTEGER,
  key,
  MOMENT,
  optional,
  type PreciseMoment,
  required,
  TEXT,
  UUID,
} from './columns.ts';
import type { CreditSource } from './credit-bucket.model.ts';

/** One attempt of one metered request: receipt and idempotency record at once. */
export interface UsageRun extends Model<InferAttributes<UsageRun>, InferCreationAttributes<UsageRun>> {
  accountId: string;
  ledgerId: string;
  keyId: CreationOptional<string | null>;
  sessionId: CreationOptional<string | null>;
  attributedKeyId: CreationOptional<string | null>;
  bucketId: number;
  idempotencyKey: string;
  fingerprint: Buffer;
  attempt: number;
  operation: string;
  subjectId: string;
  source: CreditSource;
  priceCredits: number;
  amount: number;
  state: 'reserved' | 'settled' | 'failed';
  leaseUntil: Date;
  createdAt: CreationOptional<Date>;
  endedAt: CreationOptional<Date | null>;
  failCode: CreationOptional<string | null>;
  scoreVersion: CreationOptional<PreciseMoment | null>;
}

/** The table `usage_run`. */
export const defineUsageRun = (sequelize: Sequelize): ModelStatic<UsageRun> =>
  sequelize.define<UsageRun>('usage_run', {
    accountId: key(UUID),
    ledgerId: key(UUID),
    keyId: optional(UUID),
    sessionId: optional(UUID),
    attributedKeyId: optional(UUID),
    bucketId: required(BIGINT),
    idempotencyKey: required(TEXT),
    fingerprint: required(BYTES),
    attempt: required(INTEGER),
    operation: required(TEXT),
    subjectId: required(UUID),
    source: required(TEXT),
    priceCredits: required(INTEGER),
    amount: required(INTEGER),
    state: required(TEXT),
    leaseUntil: required(MOMENT),
    createdAt: defaulted(MOMENT),
    endedAt: optional(MOMENT),
    failCode: optional(TEXT),
    scoreVersion: optional(MOMENT),
  });
