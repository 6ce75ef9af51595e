import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { defineAccessKey, defineAccount, defineCreditBucket } from './account.model.ts';
import { defineLinkedAccount } from './linked-account.model.ts';
import {
  defineCreator,
  defineDelisting,
  defineImportProgress,
  defineListing,
  defineRepositoryRefresh,
} from './listing.model.ts';
import type { TableOf } from './table.ts';
import {
  BOOLEAN,
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
} from './table.ts';

/** Console session; ended sessions are never deleted. */
interface Session extends Model<InferAttributes<Session>, InferCreationAttributes<Session>> {
  id: string;
  accountId: string;
  tokenHash: Buffer;
  openedBy: 'operator' | 'sign_in';
  createdAt: CreationOptional<Date>;
  lastSeenAt: CreationOptional<Date>;
  expiresAt: Date;
  endedAt: CreationOptional<Date | null>;
}

/** Defines the table `session`. */
const defineSession = (sequelize: Sequelize): ModelStatic<Session> =>
  sequelize.define<Session>('session', {
    id: key(UUID),
    accountId: required(UUID),
    tokenHash: required(BYTES),
    openedBy: required(TEXT),
    createdAt: defaulted(MOMENT),
    lastSeenAt: defaulted(MOMENT),
    expiresAt: required(MOMENT),
    endedAt: optional(MOMENT),
  });

/** Type of a subject. */
type SubjectType = 'agent' | 'skill' | 'creator' | 'social_account' | 'messaging_account';

/** Agent, skill, creator or account that can be scored. Its id is the canonical id in the API and in all tables. */
interface Subject extends Model<InferAttributes<Subject>, InferCreationAttributes<Subject>> {
  id: string;
  type: SubjectType;
  name: string;
  currentVersion: CreationOptional<PreciseMoment | null>;
  createdAt: CreationOptional<Date>;
}

/** Defines the table `subject`. */
const defineSubject = (sequelize: Sequelize): ModelStatic<Subject> =>
  sequelize.define<Subject>('subject', {
    id: key(UUID),
    type: required(TEXT),
    name: required(TEXT),
    currentVersion: optional(MOMENT),
    createdAt: defaulted(MOMENT),
  });

/** Link that signs a person in once and expires after ten minutes. */
interface SignInLink extends Model<InferAttributes<SignInLink>, InferCreationAttributes<SignInLink>> {
  id: string;
  accountId: string;
  tokenHash: Buffer;
  createdAt: CreationOptional<Date>;
  expiresAt: Date;
  redeemedAt: CreationOptional<Date | null>;
}

/** Defines the table `sign_in_link`. */
const defineSignInLink = (sequelize: Sequelize): ModelStatic<SignInLink> =>
  sequelize.define<SignInLink>('sign_in_link', {
    id: key(UUID),
    accountId: required(UUID),
    tokenHash: required(BYTES),
    createdAt: defaulted(MOMENT),
    expiresAt: required(MOMENT),
    redeemedAt: optional(MOMENT),
  });

/** Person at an identity provider, and the account to which this person signs in. */
interface SignInIdentity
  extends Model<InferAttributes<SignInIdentity>, InferCreationAttributes<SignInIdentity>> {
  issuer: string;
  subject: string;
  accountId: string;
  createdBy: 'operator' | 'sign_up';
  createdAt: CreationOptional<Date>;
}

/** Defines the table `sign_in_identity`. */
const defineSignInIdentity = (sequelize: Sequelize): ModelStatic<SignInIdentity> =>
  sequelize.define<SignInIdentity>('sign_in_identity', {
    issuer: key(TEXT),
    subject: key(TEXT),
    accountId: required(UUID),
    createdBy: required(TEXT),
    createdAt: defaulted(MOMENT),
  });

/** Subject whose facts have changed since its last score. */
interface ScoreDue extends Model<InferAttributes<ScoreDue>, InferCreationAttributes<ScoreDue>> {
  subjectId: string;
  /** True if the subject's own facts changed, not only those of its parent. */
  own: boolean;
  notedAt: CreationOptional<PreciseMoment>;
}

/** Defines the table `score_due`. */
const defineScoreDue = (sequelize: Sequelize): ModelStatic<ScoreDue> =>
  sequelize.define<ScoreDue>('score_due', {
    subjectId: key(UUID),
    own: required(BOOLEAN),
    notedAt: defaulted(MOMENT),
  });

/** Recomputation of all scores that is running or was interrupted. */
interface RecomputeRun extends Model<InferAttributes<RecomputeRun>, InferCreationAttributes<RecomputeRun>> {
  /** Types of subjects that are recomputed. */
  scope: string;
  startedAt: CreationOptional<PreciseMoment>;
}

/** Defines the table `recompute_run`. */
const defineRecomputeRun = (sequelize: Sequelize): ModelStatic<RecomputeRun> =>
  sequelize.define<RecomputeRun>('recompute_run', { scope: key(TEXT), startedAt: defaulted(MOMENT) });

/** Unfinished sign-in at an identity provider. */
interface SignInAttempt
  extends Model<InferAttributes<SignInAttempt>, InferCreationAttributes<SignInAttempt>> {
  tokenHash: Buffer;
  provider: 'oidc' | 'github';
  nextPath: string;
  expiresAt: Date;
}

/** Defines the table `sign_in_attempt`. */
const defineSignInAttempt = (sequelize: Sequelize): ModelStatic<SignInAttempt> =>
  sequelize.define<SignInAttempt>('sign_in_attempt', {
    tokenHash: key(BYTES),
    provider: required(TEXT),
    nextPath: required(TEXT),
    expiresAt: required(MOMENT),
  });

/** Number of times that an account has requested a check of its proofs at one host. A pause of an hour resets it. */
interface HostAsking extends Model<InferAttributes<HostAsking>, InferCreationAttributes<HostAsking>> {
  accountId: string;
  host: string;
  times: number;
  lastAt: Date;
}

/** Defines the table `host_asking`. */
const defineHostAsking = (sequelize: Sequelize): ModelStatic<HostAsking> =>
  sequelize.define<HostAsking>('host_asking', {
    accountId: key(UUID),
    host: key(TEXT),
    times: required(INTEGER),
    lastAt: required(MOMENT),
  });

/**
 * Models of the tables with ordinary reads or writes. Migrations define the schema, and a test compares the models
 * with it.
 */
export type Models = {
  readonly [Name in keyof ReturnType<typeof define>]: TableOf<ReturnType<typeof define>[Name]>;
};

/** Defines the models on one Sequelize instance. A process may open several databases. */
export function defineModels(sequelize: Sequelize): Models {
  // Sequelize's types let a call omit the transaction; ours do not.
  return define(sequelize) as unknown as Models;
}

function define(sequelize: Sequelize) {
  return {
    Account: defineAccount(sequelize),
    Session: defineSession(sequelize),
    AccessKey: defineAccessKey(sequelize),
    SignInLink: defineSignInLink(sequelize),
    SignInIdentity: defineSignInIdentity(sequelize),
    SignInAttempt: defineSignInAttempt(sequelize),
    Subject: defineSubject(sequelize),
    Creator: defineCreator(sequelize),
    LinkedAccount: defineLinkedAccount(sequelize),
    HostAsking: defineHostAsking(sequelize),
    Listing: defineListing(sequelize),
    Delisting: defineDelisting(sequelize),
    CreditBucket: defineCreditBucket(sequelize),
    ImportProgress: defineImportProgress(sequelize),
    ScoreDue: defineScoreDue(sequelize),
    RecomputeRun: defineRecomputeRun(sequelize),
    RepositoryRefresh: defineRepositoryRefresh(sequelize),
  };
}
