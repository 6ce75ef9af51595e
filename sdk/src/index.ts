export { balanceOf } from './balance.ts';
export { changesOf, type FollowOptions, followChanges } from './changes.ts';
export {
  assertTrust,
  checkTrust,
  type LookupClient,
  PolicyError,
} from './check-trust.ts';
export { TrustDirectory } from './client.ts';
export { type Console, consoleOf } from './console.ts';
export type * from './contract/models.ts';
export type { Open } from './contract/open-enum.ts';
export * from './errors/public-errors.ts';
export type { components, operations, paths } from './generated/schema.ts';
export { VERSION } from './generated/version.ts';
export { isTrustDirectoryError, type TrustDirectoryErrors } from './is-trust-directory-error.ts';
export { rawOf } from './raw.ts';
export type { AccessKeyQuery, AccessKeys, CreateKeyBody, KeyLimitsBody } from './resources/access-keys.ts';
export type { Account, OverageBody } from './resources/account.ts';
export type { AgentQuery, AgentRegistration, Agents } from './resources/agents.ts';
export type { Balances, BalanceUsageQuery } from './resources/balance.ts';
export type { ChangeQuery, Changes } from './resources/changes.ts';
export type { ChildClaimQuery, ChildClaims } from './resources/child-claims.ts';
export type { Identities } from './resources/identities.ts';
export type { LinkAccountBody, LinkedAccounts } from './resources/linked-accounts.ts';
export type {
  FreshMeta,
  FreshRun,
  OperationMeta,
  OperationRequest,
  Operations,
  Quote,
  ReplayedMeta,
  ReplayedRun,
  ResultOf,
  Run,
  RunOptions,
} from './resources/operations.ts';
export type { OwnAgentQuery, OwnAgents } from './resources/own-agents.ts';
export type { Packages } from './resources/packages.ts';
export type { ReceiptQuery, Receipts } from './resources/receipts.ts';
export type { DifferenceQuery, ExplainQuery, HistoryQuery, Scores } from './resources/scores.ts';
export type { LookupItem, LookupQuery, Subjects } from './resources/subjects.ts';
export type { Usage, UsageFilter, UsageQuery } from './resources/usage.ts';
export { scoresOf } from './scores.ts';
export type { Answer, ApiPromise } from './transport/call.ts';
export type {
  ApiKey,
  CallOptions,
  Fetch,
  FetchedResponse,
  FetchInit,
  HeadersInput,
  Hooks,
  Retry,
  TrustDirectoryOptions,
} from './transport/client-options.ts';
export { type Logger, logTo } from './transport/logger.ts';
export { type MockAnswer, mocked } from './transport/mocked.ts';
export type { ListPage, PagePromise } from './transport/pagination.ts';
export {
  checkedPolicy,
  isDemanding,
  judgeSubject,
  matchesName,
  type PackageFacts,
  POLICY_PRESETS,
  type SubjectFacts,
  type TrustCheck,
  type TrustPolicy,
  type TrustReason,
} from './trust-policy.ts';
