export type { AccessKeyQuery, AccessKeys, CreateKeyBody } from './access-keys.ts';
export type { Account, OverageBody } from './account.ts';
export type { AgentQuery, AgentRegistration, Agents } from './agents.ts';
export type { Answer, ApiPromise } from './call.ts';
export type { ChildClaimQuery, ChildClaims } from './child-claims.ts';
export { TrustDirectory } from './client.ts';
export { type Console, consoleOf } from './console.ts';
export type { components, operations, paths } from './generated/schema.ts';
export type { Identities } from './identities.ts';
export type { LinkAccountBody, LinkedAccounts } from './linked-accounts.ts';
export { type Logger, logTo } from './log-to.ts';
export { type MockAnswer, mocked } from './mocked.ts';
export type * from './models.ts';
export type { Open } from './open.ts';
export type {
  FreshRun,
  OperationRequest,
  Operations,
  Quote,
  ReplayedRun,
  ResultOf,
  Run,
  RunOptions,
} from './operations.ts';
export type { OwnAgentQuery, OwnAgents } from './own-agents.ts';
export type { PagePromise } from './pages.ts';
export * from './public-errors.ts';
export { rawOf } from './raw.ts';
export type { ReceiptQuery, Receipts } from './receipts.ts';
export type { ApiKey, CallOptions, Fetch, Hooks, Retry, TrustDirectoryOptions } from './settings.ts';
export type { LookupQuery, Subjects } from './subjects.ts';
export {
  assertTrust,
  checkTrust,
  type LookupClient,
  PolicyError,
  type TrustCheck,
  type TrustPolicy,
  type TrustReason,
} from './trust-policy.ts';
export type { Usage, UsageFilter, UsageQuery } from './usage.ts';
