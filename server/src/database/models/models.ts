import type { Sequelize } from 'sequelize';
import { defineAccessKey } from './access-key.model.ts';
import { defineAccount } from './account.model.ts';
import { defineCreator } from './creator.model.ts';
import { defineCreditBucket } from './credit-bucket.model.ts';
import { defineDelisting } from './delisting.model.ts';
import { defineHostAsking } from './host-asking.model.ts';
import { defineImportProgress } from './import-progress.model.ts';
import { defineLinkedAccount } from './linked-account.model.ts';
import { defineListing } from './listing.model.ts';
import { definePlatformAccount } from './platform-account.model.ts';
import { defineRecomputeRun } from './recompute-run.model.ts';
import { defineRepositoryRefresh } from './repository-refresh.model.ts';
import { defineScoreDue } from './score-due.model.ts';
import { defineSession } from './session.model.ts';
import { defineSignInAttempt } from './sign-in-attempt.model.ts';
import { defineSignInIdentity } from './sign-in-identity.model.ts';
import { defineSignInLink } from './sign-in-link.model.ts';
import { defineSubject } from './subject.model.ts';
import type { TableOf } from './table.ts';

/** Models of the tables with ordinary reads or writes; a test holds them equal to the migrations, which alone make the schema. */
export type Models = {
  readonly [Name in keyof ReturnType<typeof define>]: TableOf<ReturnType<typeof define>[Name]>;
};

/** Defines the models on one Sequelize instance: several databases may be open in one process. */
export function defineModels(sequelize: Sequelize): Models {
  // Sequelize's own types let a call leave its transaction out: ours do not.
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
    PlatformAccount: definePlatformAccount(sequelize),
    CreditBucket: defineCreditBucket(sequelize),
    ImportProgress: defineImportProgress(sequelize),
    ScoreDue: defineScoreDue(sequelize),
    RecomputeRun: defineRecomputeRun(sequelize),
    RepositoryRefresh: defineRepositoryRefresh(sequelize),
  };
}
