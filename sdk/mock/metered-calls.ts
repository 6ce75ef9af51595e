import type { FastifyRequest } from 'fastify';
import type { Operation } from '../../server/src/access/plans/plans.ts';
import { METERED_OPERATIONS } from '../../server/src/operations/operation-call.ts';
import type { ContractOperation } from '../../server/src/platform/http/contract/contract.ts';
import { describeTypes } from '../../server/src/scoring/subject-type.ts';
import { IdempotencyStore, type LogicalCall } from './idempotency-store.ts';
import type { ExampleSelector, Preference } from './prefer-header.ts';
import type { PickedAnswer, Prism } from './prism.ts';

interface RunBody {
  readonly operation: string;
  readonly subject: string;
  readonly channel: string;
  readonly idempotency_key: string;
  readonly api_key_id?: string;
  readonly dry_run?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

export interface MeteredCallDependencies {
  readonly prism: Prism;
  /** Metered operation of the contract. */
  readonly operation: Pick<ContractOperation, 'operationId' | 'extensions'>;
  /** Waits; rejects if the mock closes. */
  wait(delayMs: number): Promise<void>;
}

/** Defaults of omitted fields, from the contract. */
const DEFAULTS = { channel: 'api' };

/** Responds to metered calls with a valid body: checks key id, idempotency key and subject in the documented order. */
export class MeteredCalls {
  readonly #calls = new IdempotencyStore();
  readonly #parts: MeteredCallDependencies;

  constructor(parts: MeteredCallDependencies) {
    this.#parts = parts;
  }

  /** Responds to a request with a valid body and a credential. */
  async answer(request: FastifyRequest, wish: Preference): Promise<PickedAnswer> {
    const body = { ...DEFAULTS, ...(request.body as RunBody) };
    const picked = await this.#decide(body, request.credential, wish);
    const { operation, channel } = body;
    if (!isObject(picked.body) || picked.body.ok !== false) return picked;
    // An error's operation and channel are those of this request, not of the example.
    const error = inWordsOf(operation, picked.body);
    return withFields(picked, { operation, channel, error });
  }

  async #decide(
    body: RunBody,
    credential: FastifyRequest['credential'],
    wish: Preference,
  ): Promise<PickedAnswer> {
    const { kind = 'key', hash = Buffer.alloc(0) } = credential ?? {};
    if (body.api_key_id !== undefined && !this.#keyIds().has(body.api_key_id)) {
      return this.#pick({ code: 403, example: kind === 'key' ? 'key_mismatch' : 'foreign_key' });
    }
    const { operation, idempotency_key: idempotencyKey } = body;
    const call = {
      credential: hash.toString('base64'),
      idempotencyKey,
      operation,
      subject: body.subject.trim(),
    };
    if (wish.answer === null || comesAfterTheKey(wish.answer)) {
      const decided = body.dry_run ? null : await this.#decidedByKey(call);
      if (decided) return decided;
      const refused = wish.answer?.code === 402 ? wish.answer : this.#refusalOf(call);
      if (refused) return this.#slowly(wish, () => this.#pick(refused));
    }
    if (!body.dry_run) return this.#run(call, body, wish);
    const { answer } = wish;
    return this.#slowly(wish, () => (answer ? this.#pick(answer) : this.#priceOf(body)));
  }

  /**
   * Returns the fields of a receipt that follow from its call. Returns null while the call is running, and for the id
   * of a receipt that this mock has not issued.
   */
  receiptOf(ledgerId: string): Fields | null {
    const call = this.#calls.withLedgerId(ledgerId);
    if (!call?.answer) return null;
    const { resolved_subject: subject, charge_source, balance_after } = call.answer;
    const { period_kind, period_start, period_end } = balance_after as Fields;
    const price = this.#prices()[call.operation];
    const isFree = charge_source === 'free';
    return {
      ledger_id: call.ledgerId,
      idempotency_key: call.idempotencyKey,
      operation: call.operation,
      subject,
      price_credits: price,
      amount: isFree ? 1 : price,
      unit: isFree ? 'call' : 'credit',
      charge_source,
      period: { period_kind, period_start, period_end },
    };
  }

  /** Returns the response that the state of the idempotency key determines; null for a new key. */
  async #decidedByKey(call: LogicalCall): Promise<PickedAnswer | null> {
    const state = this.#calls.stateOf(call);
    switch (state.kind) {
      case 'new':
        return null;
      case 'used for another call':
        return this.#pick({ code: 422 });
      case 'in progress':
        return withFields(await this.#pick({ code: 409, example: 'idempotency_in_progress' }), {
          ledger_id: state.known.ledgerId,
        });
      case 'answered':
        return withFields(
          await this.#pick({ code: 200, example: 'replay' }),
          sharedFields(state.known.answer ?? {}),
        );
    }
  }

  /** Runs a call with its idempotency key reserved, and stores a result for replays. */
  async #run(call: LogicalCall, { channel, subject }: RunBody, wish: Preference): Promise<PickedAnswer> {
    const begun = this.#calls.begin(call);
    const receipt = begun && { ledger_id: begun.ledgerId };
    let answer: Fields | null = null;
    try {
      const wished = wish.answer ?? { code: 200, example: call.operation };
      const picked = await this.#slowly(wish, () => this.#pick(wished));
      const body = isObject(picked.body) ? picked.body : {};
      if (!isObject(body.result)) return 'ledger_id' in body ? withFields(picked, { ...receipt }) : picked;
      const result = { ...body.result, query: { ...(body.result.query as Fields), raw: subject } };
      // A selected example is sent unchanged.
      answer = wish.answer ? body : { ...body, channel, ...receipt, result };
      return { ...picked, body: answer };
    } finally {
      if (begun && answer) this.#calls.answered(begun, answer);
      else if (begun) this.#calls.failed(begun);
    }
  }

  async #priceOf({ operation, channel }: RunBody): Promise<PickedAnswer> {
    const ofOperation = await this.#pick({ code: 200, example: operation });
    const { ledger_id: _none, ...shared } = sharedFields(ofOperation.body as Fields);
    return withFields(await this.#pick({ code: 200, example: 'dry_run' }), {
      ...shared,
      channel,
      price_credits: this.#prices()[operation],
    });
  }

  /**
   * Returns the example of a 404 or 409 that has the same name as a request example with this operation and subject;
   * null if the contract has none.
   */
  #refusalOf({ operation, subject }: LogicalCall): ExampleSelector | null {
    const {
      prism,
      operation: { operationId },
    } = this.#parts;
    for (const [name, example] of prism.requestExamples(operationId)) {
      const about = example as RunBody;
      if (about.operation !== operation || about.subject !== subject) continue;
      const code = [404, 409].find((status) => prism.answerExamples(operationId, status).has(name));
      if (code) return { code, example: name };
    }
    return null;
  }

  #prices(): Readonly<Record<string, number>> {
    return this.#parts.operation.extensions['x-price-credits'] as Record<string, number>;
  }

  /** Returns the access key ids in the contract's request examples, which count as the caller's keys. */
  #keyIds(): ReadonlySet<unknown> {
    const { prism, operation } = this.#parts;
    const examples = [...prism.requestExamples(operation.operationId).values()] as RunBody[];
    return new Set(examples.map(({ api_key_id }) => api_key_id));
  }

  async #slowly(wish: Preference, answer: () => Promise<PickedAnswer>): Promise<PickedAnswer> {
    await this.#parts.wait(wish.delayMs);
    return answer();
  }

  #pick(wished: ExampleSelector): Promise<PickedAnswer> {
    const { prism, operation } = this.#parts;
    return prism.pick(operation.operationId, wished);
  }
}

/** Returns true if the service checks the idempotency key before it can send this response. */
function comesAfterTheKey({ code, example }: ExampleSelector): boolean {
  return [402, 404, 502].includes(code ?? 0) || (code === 409 && example !== 'idempotency_in_progress');
}

/** Replaces the operation, scope and subject type named in an example's error message by those of this operation. */
function inWordsOf(operation: string, { operation: example, error }: Fields): string {
  const [from, to] = [example, operation].map((name) => METERED_OPERATIONS[name as Operation]);
  if (!from || !to) return String(error);
  return String(error)
    .replaceAll(String(example), operation)
    .replaceAll(from.scope, to.scope)
    .replace(`No ${describeTypes(from.subjectTypes)} `, `No ${describeTypes(to.subjectTypes)} `);
}

/** Returns the fields that all responses to a call share. */
function sharedFields({
  operation,
  channel,
  resolved_subject,
  ledger_id,
  charge_source,
  balance_after,
}: Fields) {
  return {
    operation,
    channel,
    resolved_subject,
    ...(ledger_id !== undefined && { ledger_id }),
    charge_source,
    balance_after,
  };
}

function withFields(picked: PickedAnswer, fields: Fields): PickedAnswer {
  return { ...picked, body: { ...(picked.body as Fields), ...fields } };
}

/** Returns true for a JSON object, not an array or null. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
