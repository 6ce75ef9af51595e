export type { AgentQuery, AgentRegistration, Agents } from './agents.ts';
export { TrustDirectory } from './client.ts';
export * from './errors.ts';
export type { components, operations, paths } from './generated/schema.ts';
export type { Identities } from './identities.ts';
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
  RunRequest,
} from './operations.ts';
export type { CallOptions, Fetch, TrustDirectoryOptions } from './settings.ts';
