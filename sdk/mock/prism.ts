import { DomainError } from '../../server/src/platform/errors/domain-error.ts';
import { loadPrism, type PrismModules } from './load-prism.ts';
import type { ExampleSelector } from './prefer-header.ts';

type Operation = Awaited<ReturnType<PrismModules['http']['getHttpOperationsFromSpec']>>[number];

/** Response that Prism generated from the contract. */
export interface PickedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or text of another body; undefined without a body. */
  readonly body: unknown;
}

/** Access to the responses and examples of one contract through Prism. */
export interface Prism {
  /**
   * Generates the selected response, or the default success: 201 if the contract has one, otherwise the lowest 2xx.
   * Throws invalid_request if the contract has no such response.
   */
  pick(operationId: string, wished: ExampleSelector | null): Promise<PickedAnswer>;
  /** Returns the example response bodies of a status, by name. */
  answerExamples(operationId: string, status: number): ReadonlyMap<string, unknown>;
  /** Returns the example request bodies, by name. */
  requestExamples(operationId: string): ReadonlyMap<string, unknown>;
}

/** Parsed contracts by path; parsing takes a second. */
const readContracts = new Map<string, Promise<Operation[]>>();

/** Parses the operations of a contract with Prism, once per path. */
export function operationsOf(
  contractPath: string,
  { getHttpOperationsFromSpec }: PrismModules['http'],
): Promise<Operation[]> {
  const operations = readContracts.get(contractPath) ?? getHttpOperationsFromSpec(contractPath);
  readContracts.set(contractPath, operations);
  return operations;
}

/** Opens Prism on a contract, without request validation, which the caller has done. Throws a PrismMissingError. */
export async function openPrism(contractPath: string): Promise<Prism> {
  const { http, core } = loadPrism();
  const operations = await operationsOf(contractPath, http);
  const byId = new Map(operations.map((operation) => [operation.iid, operation]));
  const logger = core.createLogger('mock', { enabled: false });
  const checks = { validateRequest: false, validateResponse: false, checkSecurity: false, errors: false };
  const config = { ...checks, isProxy: false as const, upstreamProxy: undefined, mock: { dynamic: false } };
  const instance = http.createInstance(config, { logger });

  function operationOf(operationId: string): Operation {
    const operation = byId.get(operationId);
    if (!operation) throw new Error(`the contract has no operation ${operationId}`);
    return operation;
  }

  return {
    async pick(operationId, wished) {
      const operation = operationOf(operationId);
      const { code, example, dynamic = false, seed } = wished ?? { code: usualStatus(operation) };
      requireExample(operation, wished);
      const mock = {
        dynamic,
        ...(code && { code }),
        ...(example && { exampleKey: example }),
        ...(seed && { seed }),
      };
      const path = operation.path.replaceAll(/\{\w+\}/g, 'any');
      const method = operation.method as 'get';
      const made = await instance.request({ method, url: { path } }, [operation], { ...config, mock })();
      if (made._tag === 'Left') throw noSuchAnswer(wished);
      const { statusCode, headers = {}, body } = made.right.output;
      const names = Object.entries(headers).filter(([, value]) => value !== null);
      return {
        status: statusCode,
        headers: Object.fromEntries(names.map(([name, value]) => [name.toLowerCase(), String(value)])),
        body,
      };
    },
    answerExamples(operationId, status) {
      const answer = operationOf(operationId).responses.find(({ code }) => code === String(status));
      return valuesOf(answer?.contents?.[0]?.examples);
    },
    requestExamples: (operationId) =>
      valuesOf(operationOf(operationId).request?.body?.contents?.[0]?.examples),
  };
}

/**
 * Returns the status of a success: 201 if there is one, because 200 is then for an existing resource; otherwise the
 * lowest 2xx.
 */
function usualStatus({ responses }: Operation): number {
  const good = responses.map(({ code }) => Number(code)).filter((code) => code >= 200 && code < 300);
  return good.includes(201) ? 201 : Math.min(...good);
}

function valuesOf(examples: readonly { key: string; value?: unknown }[] = []): ReadonlyMap<string, unknown> {
  return new Map(examples.map(({ key, value }) => [key, value]));
}

/** Throws for a missing example, because Prism would send another one instead. */
function requireExample({ responses }: Operation, wished: ExampleSelector | null): void {
  const { code, example } = wished ?? {};
  const fitting = responses.filter((each) => code === undefined || each.code === String(code));
  const examples = fitting.flatMap(({ contents = [] }) => contents.flatMap((each) => each.examples ?? []));
  const isMet = example === undefined || examples.some(({ key }) => key === example);
  if (fitting.length === 0 || !isMet) throw noSuchAnswer(wished);
}

function noSuchAnswer(wished: ExampleSelector | null): DomainError {
  const wish = Object.entries(wished ?? {}).map((pair) => pair.join('='));
  return new DomainError(
    'invalid_request',
    `The contract has no such response for the header Prefer: ${wish.join(', ')}.`,
  );
}
