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
  databaseDefault,
  defaulted,
  key,
  MOMENT,
  optional,
  required,
  TEXT,
  UUID,
} from './columns.ts';

/** One change of a bucket; append-only. */
export interface LedgerEntry
  extends Model<InferAttributes<LedgerEntry>, InferCreationAttributes<LedgerEntry>> {
  accountId: string;
  id: CreationOptional<number>;
  bucketId: number;
  ledgerId: CreationOptional<string | null>;
  kind: 'grant' | 'hold' | 'settle' | 'reverse' | 'expire' | 'adjust' | 'carry';
  dTotal: CreationOptional<number>;
  dUsed: CreationOptional<number>;
  dHeld: CreationOptional<number>;
  note: CreationOptional<string | null>;
  at: CreationOptional<Date>;
}

/** The table `ledger_entry`. */
export const defineLedgerEntry = (sequelize: Sequelize): ModelStatic<LedgerEntry> =>
  sequelize.define<LedgerEntry>('ledger_entry', {
    accountId: key(UUID),
    id: { ...key(BIGINT), defaultValue: databaseDefault },
    bucketId: required(BIGINT),
    ledgerId: optional(UUID),
    kind: required(TEXT),
    dTotal: defaulted(BIGINT),
    dUsed: defaulted(BIGINT),
    dHeld: defaulted(BIGINT),
    note: optional(TEXT),
    at: defaulted(MOMENT),
  });
