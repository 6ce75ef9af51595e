/**
 * Type tests, checked only by the compiler; this file is never run. Lines after `@ts-expect-error` must not compile.
 */
import type { components } from './generated/schema.ts';
import type {
  Agent,
  FreshRun,
  LineageResult,
  Quote,
  ReplayedRun,
  Run,
  ScoreResult,
  SubjectRecord,
} from './index.ts';
import { ApiError, isTrustDirectoryError, RateLimitError, TrustDirectory, type VERSION } from './index.ts';

type Schemas = components['schemas'];
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for `true`. */
function holds<_Statement extends true>(): void {}

export async function runsFollowTheirOperation(client: TrustDirectory): Promise<void> {
  const score = await client.operations.run({ operation: 'agent_score', subject: 'a/b' });
  holds<Equal<typeof score, FreshRun<'agent_score'> | ReplayedRun<'agent_score'>>>();
  // @ts-expect-error A replay has no result, so the result must be checked first.
  score.result.scores;
  if (!score.result) {
    holds<Equal<typeof score, ReplayedRun<'agent_score'>>>();
    holds<Equal<typeof score.meta.replayed, true>>();
    holds<Equal<typeof score.meta.recovered, SubjectRecord | null>>();
  } else {
    holds<Equal<typeof score.meta.replayed, false>>();
    holds<Equal<typeof score.result, ScoreResult>>();
    // @ts-expect-error A score has no lineage.
    score.result.lineage;
  }

  const lineage = await client.operations.run({ operation: 'agent_skill_lineage', subject: 'a/b' });
  if (lineage.result) holds<Equal<typeof lineage.result, LineageResult>>();
  holds<Equal<typeof lineage.ledger_id, string>>();
  holds<Equal<typeof lineage.meta.idempotencyKey, string>>();

  // @ts-expect-error `run` does not accept `dry_run`: it always runs and charges.
  await client.operations.run({ operation: 'agent_score', subject: 'a/b', dry_run: true });
  const body = { operation: 'agent_score', subject: 'a/b', dry_run: true } as const;
  // @ts-expect-error The same holds for a request in a variable.
  await client.operations.run(body);
  // @ts-expect-error A quote is always a dry run.
  await client.operations.quote(body);
  // @ts-expect-error There are six operations.
  await client.operations.run({ operation: 'repo_score', subject: 'a/b' });
  // @ts-expect-error A subject is needed.
  await client.operations.run({ operation: 'agent_score' });
}

export function anyOperationNarrowsByItsName(run: Run): void {
  if (!run.result) return;
  // @ts-expect-error Not every operation has a lineage.
  run.result.lineage;
  if (run.operation === 'agent_skill_lineage') holds<Equal<typeof run.result, LineageResult>>();
}

export async function quotesAreNoRuns(client: TrustDirectory): Promise<void> {
  const quote = await client.operations.quote({ operation: 'skill_score', subject: 'a/b' });
  holds<Equal<typeof quote, Quote<'skill_score'>>>();
  // @ts-expect-error Nothing ran, so there is no receipt.
  quote.ledger_id;
}

export function wordsMayGrow(agent: Agent, run: FreshRun): void {
  const words: string[] = [agent.type, agent.tier, agent.category, run.charge_source, run.result.mode];
  agent.tier = 'outstanding';
  if (agent.tier === 'high') words.push('a known word still narrows');
  // @ts-expect-error A creator's score may be null.
  const trust: number = agent.creator.trustScore;
  words.push(String(trust));
}

export async function queriesAreClosed(client: TrustDirectory): Promise<void> {
  await client.agents.list({ tier: 'high', limit: undefined });
  // @ts-expect-error The filter accepts only the three known tiers.
  await client.agents.list({ tier: 'outstanding' });
  // @ts-expect-error The service refuses parameters that it doesn't know.
  await client.agents.list({ page: 2 });
}

export function statusesNarrow(error: unknown): void {
  if (error instanceof RateLimitError) holds<Equal<typeof error.status, 429>>();
  if (error instanceof ApiError) holds<Equal<typeof error.retryAfterMs, number | null>>();
}

export function errorsNarrowByName(error: unknown): void {
  if (isTrustDirectoryError(error)) holds<Equal<typeof error.requestId, string | null>>();
  if (isTrustDirectoryError(error, 'NotFoundError')) holds<Equal<typeof error.status, 404>>();
  if (isTrustDirectoryError(error, 'HookError')) holds<Equal<typeof error.hook, string>>();
  // @ts-expect-error No class has this name.
  isTrustDirectoryError(error, 'TeapotError');
}

export async function pagesLeadToTheNext(client: TrustDirectory): Promise<void> {
  const list = client.agents.list({ limit: 100 });
  const page = await list;
  const next = await page.next();
  if (next) holds<Equal<typeof next.data, Agent[]>>();
  holds<Equal<Awaited<ReturnType<typeof list.toArray>>, Agent[]>>();
  // @ts-expect-error `toArray` requires a limit.
  await list.toArray();
}

export async function metaIsApart(client: TrustDirectory): Promise<void> {
  const { data, meta } = await client.agents.get('AGT-7K2MQ9XD').withResponse();
  holds<Equal<typeof data, Agent>>();
  holds<Equal<typeof meta.requestId, string | null>>();
  // @ts-expect-error The data has only the fields of the contract.
  data.requestId;
}

class OwnClient extends TrustDirectory {
  readonly own = true;
}

export function copiesKeepTheirType(client: OwnClient): void {
  holds<Equal<ReturnType<typeof client.withOptions>, OwnClient>>();
  client.withOptions({ timeoutMs: 1, headers: new Headers() });
  // @ts-expect-error A signal belongs to one call, not to a client.
  client.withOptions({ signal: AbortSignal.abort() });
}

export function anyFetchIsAccepted(undici: typeof import('undici').fetch): void {
  const headers: [string, string][] = [['x-tenant', 'a']];
  new TrustDirectory({ fetch: globalThis.fetch, headers });
  new TrustDirectory({ fetch: undici, headers: new Map(headers) });
  // @ts-expect-error A function that takes a Request only would lose the body.
  new TrustDirectory({ fetch: (request: Request) => globalThis.fetch(request) });
}

holds<Equal<typeof VERSION, string>>();

/** Checks that every response type of the contract fits the SDK's types. */
type AnswerOf<Name extends Schemas['Operation']> = Extract<
  Schemas['OperationResponse'],
  { operation: Name; result: object }
>;
holds<AnswerOf<'agent_skill_lineage'>['result'] extends LineageResult ? true : false>();
holds<
  AnswerOf<Exclude<Schemas['Operation'], 'agent_skill_lineage'>>['result'] extends ScoreResult ? true : false
>();
holds<Equal<AnswerOf<Schemas['Operation']>['operation'], Schemas['Operation']>>();
