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
  BOOLEAN,
  DOUBLE,
  defaulted,
  JSONB,
  key,
  MOMENT,
  optional,
  required,
  TEXT,
  TEXTS,
  UUID,
} from './table.ts';

/** Social or messaging account, channel or bot, with the facts that its platform shows; null means unknown. */
export interface PlatformAccount
  extends Model<InferAttributes<PlatformAccount>, InferCreationAttributes<PlatformAccount>> {
  subjectId: string;
  registryRowId: string;
  type: 'social_account' | 'messaging_account';
  kind: 'account' | 'channel' | 'bot';
  platform: string;
  handle: string;
  name: CreationOptional<string | null>;
  url: CreationOptional<string | null>;
  formerHandles: CreationOptional<string[]>;
  ownerHandle: CreationOptional<string | null>;
  ownerId: CreationOptional<string | null>;
  platformAccountId: CreationOptional<string | null>;
  accountCreatedAt: CreationOptional<Date | null>;
  verifiedMark: CreationOptional<boolean | null>;
  audience: CreationOptional<number | null>;
  /** Share: 0.5 means 50% more in one day. */
  audienceDayGrowth: CreationOptional<number | null>;
  engagement: CreationOptional<number | null>;
  lastPostAt: CreationOptional<Date | null>;
  crossLink: CreationOptional<'both' | 'one' | 'none' | null>;
  scamFlag: CreationOptional<boolean | null>;
  observedAt: CreationOptional<Date | null>;
  source: string;
  imported: CreationOptional<Record<string, unknown> | null>;
  createdAt: CreationOptional<Date>;
  updatedAt: CreationOptional<Date>;
}

/** Defines the table `platform_account`. */
export const definePlatformAccount = (sequelize: Sequelize): ModelStatic<PlatformAccount> =>
  sequelize.define<PlatformAccount>('platform_account', {
    subjectId: key(UUID),
    registryRowId: required(UUID),
    type: required(TEXT),
    kind: required(TEXT),
    platform: required(TEXT),
    handle: required(TEXT),
    name: optional(TEXT),
    url: optional(TEXT),
    formerHandles: defaulted(TEXTS),
    ownerHandle: optional(TEXT),
    ownerId: optional(UUID),
    platformAccountId: optional(TEXT),
    accountCreatedAt: optional(MOMENT),
    verifiedMark: optional(BOOLEAN),
    audience: optional(BIGINT),
    audienceDayGrowth: optional(DOUBLE),
    engagement: optional(DOUBLE),
    lastPostAt: optional(MOMENT),
    crossLink: optional(TEXT),
    scamFlag: optional(BOOLEAN),
    observedAt: optional(MOMENT),
    source: required(TEXT),
    imported: optional(JSONB),
    createdAt: defaulted(MOMENT),
    updatedAt: defaulted(MOMENT),
  });

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
