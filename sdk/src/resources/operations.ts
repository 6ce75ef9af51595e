import type {
  Balance,
  ChargeSource,
  LineageResult,
  Operation,
  ResolvedSubject,
  ScoreResult,
  SubjectRecord,
} from '../contract/models.ts';
import { ConfigurationError, type Trace } from '../errors/errors.ts';
import type { components } from '../generated/schema.ts';
import { type Answer, type ApiPromise, apiPromise, type Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/settings.ts';
import type { Subjects } from './subjects.ts';

type Schemas = components['schemas'];
type RunBody = Schemas['RunOperationRequest'];

/** What an operation results in: only `agent_skill_lineage` has a lineage. */
export type ResultOf<Name extends Operation> = Name extends 'agent_skill_lineage'
  ? LineageResult
  : ScoreResult;

/** An operation on one subject, under the API's own names. */
export interface OperationRequest<Name extends Operation = Operation> {
  /** Which operation; the type of the result follows it. */
  operation: Name;
  /** Name, handle, repository, package or id. It is only looked up: naming a subject proves nothing about it. */
  subject: string;
  /** Default `api`. `mcp` is reserved: the call rejects with a `NotImplementedError`. */
  channel?: RunBody['channel'] | undefined;
  /** For console sessions: id of the owned key that the call counts for. Leave it out when you have a key. */
  api_key_id?: string | undefined;
  /**
   * Names this logical request within your account: 1 to 255 printable ASCII characters without spaces. Keep it where a
   * restart can find it, and run again with it after any failure: you are charged at most once. Default: a random UUID,
   * which the result and every error show.
   */
  idempotency_key?: string | undefined;
  /**
   * Not accepted: the method decides. {@link Operations.run | run} always runs and is charged;
   * {@link Operations.quote | quote} tells the price and never runs. A request with it is refused before anything is sent.
   */
  dry_run?: never;
}

/** What one run may set for itself. */
export interface RunOptions extends CallOptions {
  /** What to do when the key had settled before: `lookup` reads the public record of the subject instead. */
  onReplay?: 'lookup' | undefined;
}

/** What this package adds to an answer. */
interface Sent {
  /** The key that the call ran under. */
  readonly idempotencyKey: string;
  /** `X-Request-Id`, for support. */
  readonly requestId: string | null;
  /** Requests that were sent. */
  readonly attempts: number;
  /** Milliseconds that the call took. */
  readonly elapsedMs: number;
}

/** What runs and quotes have in common. */
interface Charged<Name extends Operation> extends Sent {
  readonly operation: Name;
  /** What pays. */
  readonly charge_source: ChargeSource;
  /** The bucket that pays, with what is in it afterwards; null means that it couldn't be read, not zero. */
  readonly balance_after: Balance | null;
}

/** The operation ran now and was charged once. */
export interface FreshRun<Name extends Operation = Operation> extends Charged<Name> {
  readonly replayed: false;
  /** Receipt, for support and reconciliation. */
  readonly ledger_id: string;
  /** The canonical record that the subject led to. */
  readonly resolved_subject: ResolvedSubject;
  readonly result: ResultOf<Name>;
}

/**
 * The idempotency key had settled before, perhaps in an attempt with a lost answer. Nothing was charged now, and the service
 * doesn't keep the first result: for a score, run again with a new key, which is charged normally.
 */
export interface ReplayedRun<Name extends Operation = Operation> extends Charged<Name> {
  readonly replayed: true;
  /** Receipt, for support and reconciliation. */
  readonly ledger_id: string;
  /** The canonical record that the subject had led to; null if it has been removed since. */
  readonly resolved_subject: ResolvedSubject | null;
  readonly result: null;
  /**
   * With `onReplay: 'lookup'`, the subject's public record as it stands now: perhaps with a later score than the run's.
   * Null without it, and if the subject has been removed.
   */
  readonly recovered: SubjectRecord | null;
}

/** A run: look at `replayed` before `result`. */
export type Run<Name extends Operation = Operation> = Name extends Operation
  ? FreshRun<Name> | ReplayedRun<Name>
  : never;

/** What a run would cost now. Nothing ran, and nothing was reserved or recorded; there is no receipt. */
export interface Quote<Name extends Operation = Operation> extends Charged<Name> {
  /** The canonical record that the subject leads to. */
  readonly resolved_subject: ResolvedSubject;
  /** List price in credits. From the charge source `free`, one call is taken instead. */
  readonly price_credits: number;
}

/**
 * Metered operations. Both methods need a key with the operation's scope and reject with an `ApiError` of the status's
 * class, a `ConnectionError`, a `TimeoutError`, an `AbortError` or an `UnexpectedAnswerError`.
 */
export interface Operations {
  /**
   * Runs an operation, charged at most once per idempotency key. Tried again with the same key after failures of the
   * network, the statuses 408, 429, 500, 502, 503, 504 and a 409 `idempotency_in_progress`; a retry after a lost answer
   * comes back as replayed. Every error has the `idempotencyKey` to go on with.
   *
   * @example
   * const run = await client.operations.run({ operation: 'agent_score', subject: 'google-gemini/gemini-cli' });
   * if (!run.replayed) console.log(run.result.scores.trustScore, run.ledger_id);
   */
  run<const Name extends Operation>(
    request: OperationRequest<Name>,
    options?: RunOptions,
  ): ApiPromise<Run<Name>>;

  /**
   * What a run would cost and which source would pay, without running it. Checks key, scope, balance and subject as a
   * run does, so it rejects where a run would. Tried again as a run is.
   *
   * @example
   * const { price_credits, charge_source } = await client.operations.quote({ operation: 'skill_score', subject: 'upstash/context7' });
   */
  quote<const Name extends Operation>(
    request: OperationRequest<Name>,
    options?: CallOptions,
  ): ApiPromise<Quote<Name>>;
}

/** Binds them to a client. */
export function operationsOf(call: Call, subjects: Subjects): Operations {
  const send = (request: OperationRequest, { onReplay, ...options }: RunOptions = {}, dry_run?: true) => {
    const { idempotency_key = crypto.randomUUID() } = request;
    const input = (trace: Trace) => {
      // Overwriting the caller's would charge for what was meant as a dry run.
      if (request.dry_run !== undefined)
        throw new ConfigurationError('dry_run: use run() to run, quote() for the price.', trace);
      return { body: { ...request, idempotency_key, dry_run } };
    };
    // A service that overlooked dry_run would have charged: an answer without it is an error with the receipt.
    const expects = dry_run ? 'dry_run' : 'ledger_id';
    const sent = call('post', '/api/svc/operations/run', expects, input, options, idempotency_key);
    const complete = async ({ data, response, ...trace }: Answer<object>) => {
      // biome-ignore lint/suspicious/noExplicitAny: the contract ties the answer's shape to the operation that was sent.
      const run: any = { ...data, ...trace };
      if (!dry_run) {
        const id = onReplay && run.resolved_subject?.canonical_id;
        run.replayed = !run.result;
        // The run is settled even if the look-up fails.
        if (run.replayed) run.recovered = id ? await subjects.get(id, options).catch(() => null) : null;
      }
      return { data: run, response, ...trace };
    };
    return apiPromise(sent.withResponse().then(complete));
  };
  return {
    run: (request, options) => send(request, options),
    quote: (request, options) => send(request, options, true),
  };
}
