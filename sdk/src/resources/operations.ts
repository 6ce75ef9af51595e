import type {
  Balance,
  ChargeSource,
  LineageResult,
  Operation,
  ResolvedSubject,
  ScoreResult,
  SubjectRecord,
} from '../contract/models.ts';
import type { CallTrace } from '../errors/errors.ts';
import type { components } from '../generated/schema.ts';
import {
  type Answer,
  type ApiPromise,
  apiPromise,
  type Call,
  withIdempotencyKey,
} from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import type { Subjects } from './subjects.ts';

type Schemas = components['schemas'];
type RunBody = Schemas['RunOperationRequest'];

/** Result type of an operation; only `agent_skill_lineage` has a lineage. */
export type ResultOf<Name extends Operation> = Name extends 'agent_skill_lineage'
  ? LineageResult
  : ScoreResult;

/** Request to run or price an operation, with the API's field names. */
export interface OperationRequest<Name extends Operation = Operation> {
  /** Operation name; it determines the type of the result. */
  operation: Name;
  /** Name, handle, repository, package or id of the subject. */
  subject: string;
  /** Default `api`. `mcp` is reserved: the call rejects with a `NotImplementedError`. */
  channel?: RunBody['channel'] | undefined;
  /** Id of the access key to which a call of a console session is attributed; omit it if you send a key. */
  api_key_id?: string | undefined;
  /**
   * Identifies this logical request within your account: 1 to 255 printable ASCII characters without spaces. Store it
   * before the call and repeat the call with it after any failure: you are charged at most once. Default: a random
   * UUID, which `meta` of the result and every error have as `idempotencyKey`.
   */
  idempotency_key?: string | undefined;
  /**
   * Must be absent, because the method decides: {@link Operations.run | run} always runs and is charged, {@link
   * Operations.quote | quote} only returns the price. A request with it is rejected before anything is sent.
   */
  dry_run?: never;
}

/** Options of a run. */
export interface RunOptions extends CallOptions {
  /**
   * `lookup` also reads the subject's public record if the run is a replay, because the service doesn't store the run's
   * result.
   */
  onReplay?: 'lookup' | undefined;
}

/**
 * Facts about a run or quote that this package adds. They are members of `meta`, so they cannot collide with fields of
 * the contract.
 */
export interface OperationMeta extends CallTrace {
  /** Idempotency key of the call. */
  readonly idempotencyKey: string;
}

/** Meta of a run that ran now, and of a quote. */
export interface FreshMeta extends OperationMeta {
  readonly replayed: false;
  readonly recovered: null;
}

/** Meta of a run that was charged before. */
export interface ReplayedMeta extends OperationMeta {
  readonly replayed: true;
  /**
   * Current public record of the subject, with `onReplay: 'lookup'`; its score may be newer than the run's. Null
   * otherwise, or if the look-up failed.
   */
  readonly recovered: SubjectRecord | null;
}

/** Common members of runs and quotes. */
interface Charged<Name extends Operation> {
  readonly operation: Name;
  /** Kind of balance that pays for the call. */
  readonly charge_source: ChargeSource;
  /** State of that balance after the call; null if it couldn't be read (not zero). */
  readonly balance_after: Balance | null;
}

/** Result of an operation that ran now and was charged once. */
export interface FreshRun<Name extends Operation = Operation> extends Charged<Name> {
  /** Receipt id, for support and reconciliation. */
  readonly ledger_id: string;
  /** Canonical record that the subject was resolved to. */
  readonly resolved_subject: ResolvedSubject;
  readonly result: ResultOf<Name>;
  readonly meta: FreshMeta;
}

/**
 * Result of a run whose idempotency key was charged before, perhaps in an attempt whose response was lost. Nothing was
 * charged now. The service doesn't store results; for a new score, run again with a new key, which is charged normally.
 */
export interface ReplayedRun<Name extends Operation = Operation> extends Charged<Name> {
  /** Receipt id, for support and reconciliation. */
  readonly ledger_id: string;
  /** Canonical record of the first run's subject; null if it has been removed since. */
  readonly resolved_subject: ResolvedSubject | null;
  readonly result: null;
  readonly meta: ReplayedMeta;
}

/** Result of a run; `result` is null if it is a replay. */
export type Run<Name extends Operation = Operation> = Name extends Operation
  ? FreshRun<Name> | ReplayedRun<Name>
  : never;

/** Current price of a run. Nothing ran, was reserved or recorded, so there is no receipt. */
export interface Quote<Name extends Operation = Operation> extends Charged<Name> {
  /** Canonical record that the subject is resolved to. */
  readonly resolved_subject: ResolvedSubject;
  /** List price in credits; the charge source `free` pays with one call instead. */
  readonly price_credits: number;
  readonly meta: FreshMeta;
}

/**
 * Metered operations. Both methods need a key with the operation's scope. They reject with a `TrustDirectoryError`:
 * mostly an `ApiError` of the status's class, a `ConnectionError`, a `TimeoutError`, an `AbortError` or an
 * `UnexpectedAnswerError`.
 */
export interface Operations {
  /**
   * Runs an operation, charged at most once per idempotency key. Retried with the same key after network errors, the
   * statuses 408, 429, 500, 502, 503, 504 and a 409 `idempotency_in_progress`. If an attempt was charged but its
   * response lost, the retry resolves to a {@link ReplayedRun}. `meta` and every error have the `idempotencyKey` with
   * which to repeat the call.
   *
   * @example
   * const run = await client.operations.run({ operation: 'agent_score', subject: 'google-gemini/gemini-cli' });
   * if (run.result) console.log(run.result.scores.trustScore, run.ledger_id);
   */
  run<const Name extends Operation>(
    request: OperationRequest<Name>,
    options?: RunOptions,
  ): ApiPromise<Run<Name>>;

  /**
   * Returns the price of a run and the balance that would pay, without running it. Checks key, scope, balance and
   * subject like a run, but not whether the idempotency key was used before. Retried like a run.
   *
   * @example
   * const { price_credits, charge_source } = await client.operations.quote({ operation: 'skill_score', subject: 'upstash/context7' });
   */
  quote<const Name extends Operation>(
    request: OperationRequest<Name>,
    options?: CallOptions,
  ): ApiPromise<Quote<Name>>;
}

/** Creates the methods for a client. */
export function operationsOf(call: Call, subjects: Subjects): Operations {
  const sender =
    (dry_run?: true) =>
    (request: OperationRequest, { onReplay, ...options }: RunOptions = {}) => {
      const input = {
        body: { ...withIdempotencyKey(request), dry_run },
        // Without this check, `run` would ignore the caller's dry_run and charge.
        refusal: request.dry_run !== undefined && 'dry_run: use quote() or run().',
      };
      // If the service ignored dry_run, it has charged: reject a response without `dry_run`, with the receipt id.
      const expects = dry_run ? 'dry_run' : 'ledger_id';
      const sent = call('post', '/api/svc/operations/run', expects, input, options);
      const complete = async (answer: Answer<object>) => {
        // biome-ignore lint/suspicious/noExplicitAny: the contract ties the answer's shape to the operation that was sent.
        const data: any = answer.data;
        const replayed = !!data.idempotent;
        const id = replayed && onReplay && data.resolved_subject?.canonical_id;
        // The run has succeeded even if the look-up fails.
        const recovered = id ? await subjects.get(id, options).catch(() => null) : null;
        const meta = { ...answer.meta, replayed, recovered };
        return { ...answer, meta, data: { ...data, meta } };
      };
      return apiPromise(sent.withResponse().then(complete));
    };
  return { run: sender(), quote: sender(true) };
}
