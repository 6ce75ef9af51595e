import type { Call } from './call.ts';
import type { components } from './generated/schema.ts';
import type {
  Balance,
  ChargeSource,
  LineageResult,
  Operation,
  ResolvedSubject,
  ScoreResult,
} from './models.ts';
import type { CallOptions } from './settings.ts';

type Schemas = components['schemas'];
type RunBody = Schemas['RunOperationRequest'];
type DryRunAnswer = Schemas['OperationDryRun'];
type RunAnswer = Exclude<Schemas['OperationResponse'], DryRunAnswer>;

/** What an operation results in: only `agent_skill_lineage` has a lineage. */
export type ResultOf<Name extends Operation> = Name extends 'agent_skill_lineage'
  ? LineageResult
  : ScoreResult;

/** An operation on one subject. */
export interface OperationRequest<Name extends Operation = Operation> {
  /** Which operation; the type of the result follows it. */
  operation: Name;
  /** Name, handle, repository, package or id. It is only looked up: naming a subject proves nothing about it. */
  subject: string;
  /** Default `api`. `mcp` is reserved: the call rejects with a `NotImplementedError`. */
  channel?: 'api' | 'mcp' | undefined;
  /** For console sessions: id of the owned key that the call counts for. Leave it out when you have a key. */
  apiKeyId?: string | undefined;
}

/** An operation to run. */
export interface RunRequest<Name extends Operation = Operation> extends OperationRequest<Name> {
  /**
   * Names this logical request within your account: 1 to 255 printable ASCII characters without spaces. Keep it where a
   * restart can find it, and run again with it after any failure: you are charged at most once. Default: a random UUID,
   * told on the result and on every error.
   */
  idempotencyKey?: string | undefined;
}

/** What runs and quotes have in common. Nested values bear the API's own names. */
interface Charged<Name extends Operation> {
  /** The operation. */
  readonly operation: Name;
  /** What pays. */
  readonly chargeSource: ChargeSource;
  /** The bucket that pays, as it stands afterwards; null means that it couldn't be read, not zero. */
  readonly balanceAfter: Balance | null;
  /** `X-Request-Id`, for support. */
  readonly requestId: string | null;
  /** Requests that were sent. */
  readonly attempts: number;
}

/** A settled call. */
interface Receipt<Name extends Operation> extends Charged<Name> {
  /** Receipt, for support and reconciliation. */
  readonly ledgerId: string;
  /** The key that the call ran under. */
  readonly idempotencyKey: string;
}

/** The operation ran now and was charged once. */
export interface FreshRun<Name extends Operation = Operation> extends Receipt<Name> {
  readonly replayed: false;
  /** The canonical record that the subject led to. */
  readonly resolvedSubject: ResolvedSubject;
  readonly result: ResultOf<Name>;
}

/**
 * The idempotency key had settled before, perhaps in an attempt whose answer was lost. Nothing was charged now, and the
 * first result is not kept by the service: for a score, run again with a new key, which is charged normally.
 */
export interface ReplayedRun<Name extends Operation = Operation> extends Receipt<Name> {
  readonly replayed: true;
  /** The canonical record that the subject had led to; null where it is gone since. */
  readonly resolvedSubject: ResolvedSubject | null;
  readonly result: null;
}

/** A run: look at `replayed` before `result`. */
export type Run<Name extends Operation = Operation> = Name extends Operation
  ? FreshRun<Name> | ReplayedRun<Name>
  : never;

/** What a run would cost now. Nothing ran, and nothing was reserved or recorded; there is no receipt. */
export interface Quote<Name extends Operation = Operation> extends Charged<Name> {
  /** The canonical record that the subject leads to. */
  readonly resolvedSubject: ResolvedSubject;
  /** List price in credits. From the charge source `free`, one call is taken instead. */
  readonly priceCredits: number;
}

/**
 * Metered operations. Both methods need a key with the operation's scope and reject with an `ApiError` of the status's
 * class, a `ConnectionError`, a `TimeoutError`, an `AbortError` or an `UnexpectedAnswerError`.
 */
export class Operations {
  readonly #call: Call;

  /** @internal Made by the client. */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Runs an operation, charged at most once per idempotency key. Tried again with the same key after failures of the
   * network, the statuses 408, 429, 502, 503, 504 and a 409 `idempotency_in_progress`; a retry of an attempt whose answer
   * was lost comes back as replayed. Every error holds the `idempotencyKey` to go on with.
   *
   * @example
   * const run = await client.operations.run({ operation: 'agent_score', subject: 'google-gemini/gemini-cli' });
   * if (!run.replayed) console.log(run.result.scores.trustScore, run.ledgerId);
   */
  async run<const Name extends Operation>(
    request: RunRequest<Name>,
    options?: CallOptions,
  ): Promise<Run<Name>> {
    const idempotencyKey = request.idempotencyKey ?? crypto.randomUUID();
    const wire = { idempotency_key: idempotencyKey };
    const [charged, body] = await this.#send<RunAnswer>(request, wire, 'ledger_id', options, idempotencyKey);
    const { result, ledger_id: ledgerId } = body;
    // The contract ties the result's type to the operation's name, which is the one that was sent.
    return { ...charged, ledgerId, idempotencyKey, replayed: !result, result: result ?? null } as Run<Name>;
  }

  /**
   * What a run would cost and which source would pay, without running it. Checks key, scope, balance and subject as a
   * run does, so it rejects where a run would. Tried again as a run is.
   *
   * @example
   * const { priceCredits, chargeSource } = await client.operations.quote({ operation: 'skill_score', subject: 'upstash/context7' });
   */
  async quote<const Name extends Operation>(
    request: OperationRequest<Name>,
    options?: CallOptions,
  ): Promise<Quote<Name>> {
    // The API wants a key here too and doesn't look at it. No error tells it: there is nothing to take up again.
    const wire = { idempotency_key: crypto.randomUUID(), dry_run: true };
    // A service that overlooked dry_run would have charged: an answer without it is an error that tells the receipt.
    const [charged, body] = await this.#send<DryRunAnswer>(request, wire, 'dry_run', options);
    return { ...charged, priceCredits: body.price_credits } as Quote<Name>;
  }

  async #send<Body extends RunAnswer | DryRunAnswer>(
    { operation, subject, channel, apiKeyId }: OperationRequest,
    rest: Partial<RunBody>,
    expects: keyof RunAnswer | keyof DryRunAnswer,
    options?: CallOptions,
    idempotencyKey?: string,
  ) {
    // JSON leaves out what is undefined.
    const wire = { operation, subject, channel, api_key_id: apiKeyId, ...rest } as RunBody;
    const answer = await this.#call(
      'keyed',
      expects,
      (http, init) => http.POST('/api/svc/operations/run', { ...init, body: wire }),
      options,
      idempotencyKey,
    );
    const body = answer.body as Body;
    const charged = {
      operation,
      resolvedSubject: body.resolved_subject ?? null,
      chargeSource: body.charge_source,
      balanceAfter: body.balance_after ?? null,
      requestId: answer.requestId,
      attempts: answer.attempts,
    };
    return [charged, body] as const;
  }
}
