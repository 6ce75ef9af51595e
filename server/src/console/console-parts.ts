import type { Config } from '../config/load-config.ts';
import type { Database } from '../database/connect.ts';
import type { Hosts } from '../hosts/hosts.ts';
import type { Authentication } from '../http/credentials/authenticate-caller.ts';
import type { RateLimits } from '../http/limits/rate-limits.ts';
import type { OperationParts } from '../operations/run-operation.ts';
import type { PlanBook } from '../plans/plans.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import type { Naming } from '../subjects/naming.ts';

/** What the signed-in pages are made with. */
export interface ConsoleParts {
  database: Database;
  planBook: PlanBook;
  naming: Naming;
  backend: ScoringBackend;
  hosts: Hosts;
  /** What a metered call is run with. */
  operations: OperationParts;
  authentication: Authentication;
  rateLimits: RateLimits;
  config: Pick<Config, 'repositoryHosts' | 'hostApiUrls' | 'repositoryRefreshPerHour'>;
}
