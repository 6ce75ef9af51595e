import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { defaulted, key, MOMENT, optional, required, TEXT, UUID } from './table.ts';

/** Link from a directory account to a host account that it claims as its own, with the proof. */
export interface LinkedAccount
  extends Model<InferAttributes<LinkedAccount>, InferCreationAttributes<LinkedAccount>> {
  id: string;
  accountId: string;
  kind: string;
  host: string;
  handle: string;
  code: CreationOptional<string | null>;
  codeExpiresAt: CreationOptional<Date | null>;
  provedAt: CreationOptional<Date | null>;
  provedBy: CreationOptional<'code' | 'operator' | 'identity_provider' | null>;
  codePlace: CreationOptional<'profile' | 'repository' | 'package' | 'domain' | 'dns_record' | null>;
  domain: CreationOptional<string | null>;
  evidenceUrl: CreationOptional<string | null>;
  hostAccountId: CreationOptional<string | null>;
  hostAccountCreatedAt: CreationOptional<Date | null>;
  checkedAt: CreationOptional<Date | null>;
  checkFailedAt: CreationOptional<Date | null>;
  checkDueAt: CreationOptional<Date | null>;
  lapsedAt: CreationOptional<Date | null>;
  subjectId: CreationOptional<string | null>;
  removedAt: CreationOptional<Date | null>;
  createdAt: CreationOptional<Date>;
}

/** Defines the table `linked_account`. */
export const defineLinkedAccount = (sequelize: Sequelize): ModelStatic<LinkedAccount> =>
  sequelize.define<LinkedAccount>('linked_account', {
    id: key(UUID),
    accountId: required(UUID),
    kind: required(TEXT),
    host: required(TEXT),
    handle: required(TEXT),
    code: optional(TEXT),
    codeExpiresAt: optional(MOMENT),
    provedAt: optional(MOMENT),
    provedBy: optional(TEXT),
    codePlace: optional(TEXT),
    domain: optional(TEXT),
    evidenceUrl: optional(TEXT),
    hostAccountId: optional(TEXT),
    hostAccountCreatedAt: optional(MOMENT),
    checkedAt: optional(MOMENT),
    checkFailedAt: optional(MOMENT),
    checkDueAt: optional(MOMENT),
    lapsedAt: optional(MOMENT),
    subjectId: optional(UUID),
    removedAt: optional(MOMENT),
    createdAt: defaulted(MOMENT),
  });
