import type { Sequelize } from 'sequelize';
import { defineAccessKey } from './access-key.model.ts';
import { defineAccount } from './account.model.ts';
import { defineArtifact } from './artifact.model.ts';
import { defineCreator } from './creator.model.ts';
import { defineCreatorEquity } from './creator-equity.model.ts';
import { defineCreditBucket } from './credit-bucket.model.ts';
import { defineDelistedName } from './delisted-name.model.ts';
import { defineDelisting } from './delisting.model.ts';
import { defineHostAsking } from './host-asking.model.ts';
import { defineImportProgress } from './import-progress.model.ts';
import { defineLedgerEntry } from './ledger-entry.model.ts';
import { defineLinkedAccount } from './linked-account.model.ts';
import { defineListing } from './listing.model.ts';
import { defineListingCreatorHistory } from './listing-creator-history.model.ts';
import { defineListingFormerWords } from './listing-former-words.model.ts';
import { defineListingRegistryWords } from './listing-registry-words.model.ts';
import { defineListingTotal } from './listing-total.model.ts';
import { defineListingWords } from './listing-words.model.ts';
import { definePlatformAccount } from './platform-account.model.ts';
import { defineRecomputeRun } from './recompute-run.model.ts';
import { defineRelation } from './relation.model.ts';
import { defineRepositoryRefresh } from './repository-refresh.model.ts';
import { defineScore } from './score.model.ts';
import { defineScoreDue } from './score-due.model.ts';
import { defineScoreRefresh } from './score-refresh.model.ts';
import { defineSession } from './session.model.ts';
import { defineSignInAttempt } from './sign-in-attempt.model.ts';
import { defineSignInIdentity } from './sign-in-identity.model.ts';
import { defineSignInLink } from './sign-in-link.model.ts';
import { defineSubject } from './subject.model.ts';
import { defineSubjectAlias } from './subject-alias.model.ts';
import type { TableOf } from './table.ts';
import { defineUsageRun } from './usage-run.model.ts';

/** One Sequelize model per table; a test holds them equal to the migrations, which alone make the schema. */
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
    SubjectAlias: defineSubjectAlias(sequelize),
    Score: defineScore(sequelize),
    Creator: defineCreator(sequelize),
    LinkedAccount: defineLinkedAccount(sequelize),
    HostAsking: defineHostAsking(sequelize),
    Listing: defineListing(sequelize),
    ListingCreatorHistory: defineListingCreatorHistory(sequelize),
    ListingRegistryWords: defineListingRegistryWords(sequelize),
    ListingFormerWords: defineListingFormerWords(sequelize),
    Delisting: defineDelisting(sequelize),
    DelistedName: defineDelistedName(sequelize),
    ListingTotal: defineListingTotal(sequelize),
    ListingWords: defineListingWords(sequelize),
    Artifact: defineArtifact(sequelize),
    Relation: defineRelation(sequelize),
    PlatformAccount: definePlatformAccount(sequelize),
    CreditBucket: defineCreditBucket(sequelize),
    UsageRun: defineUsageRun(sequelize),
    LedgerEntry: defineLedgerEntry(sequelize),
    ImportProgress: defineImportProgress(sequelize),
    ScoreDue: defineScoreDue(sequelize),
    ScoreRefresh: defineScoreRefresh(sequelize),
    CreatorEquity: defineCreatorEquity(sequelize),
    RecomputeRun: defineRecomputeRun(sequelize),
    RepositoryRefresh: defineRepositoryRefresh(sequelize),
  };
}
