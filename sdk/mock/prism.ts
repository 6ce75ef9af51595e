import { DomainError } from '../../server/src/domain-error.ts';
import { loadPrism, type PrismModules } from './load-prism.ts';
import type { WishedAnswer } from './wish.ts';

type Operation = Awaited<ReturnType<PrismModules['http']['getHttpOperationsFromSpec']>>[number];

/** An answer that Prism made from the contract. */
export interface PickedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The value of a JSON body, the text of any other; undefined where there is none. */
  readonly body: unknown;
}

/** Prism over one contract. */
export interface Prism {
  /**
   * Makes the answer that is asked for; else the usual one, which is the 201 where something is created. Throws
   * invalid_request where the contract has no such answer.
   */
  pick(operationId: string, wished: WishedAnswer | null): Promise<PickedAnswer>;
  /** The named values that the contract gives as examples of an answer's body. */
  answerExamples(operationId: string, status: number): ReadonlyMap<string, unknown>;
  /** The named values that the contract gives as examples of a request's body. */
  requestExamples(operationId: string): ReadonlyMap<string, unknown>;
}

/** Reading a contract takes a second; it is read once. */
const readContracts = new Map<string, Promise<Operation[]>>();

/** The operations of a contract as Prism reads them. */
export function operationsOf(
  contractPath: string,
  { getHttpOperationsFromSpec }: PrismModules['http'],
): Promise<Operation[]> {
  const operations = readContracts.get(contractPath) ?? getHttpOperationsFromSpec(contractPath);
  readContracts.set(contractPath, operations);
  return operations;
}

/** Opens Prism on a contract. It checks no request: the caller has done that. Throws a PrismMissingError. */
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

/** The status of a success: 201 if there is one, since 200 is then for what existed before. */
function usualStatus({ responses }: Operation): number {
  const good = responses.map(({ code }) => Number(code)).filter((code) => code >= 200 && code < 300);
  return good.includes(201) ? 201 : Math.min(...good);
}

function valuesOf(examples: readonly { key: string; value?: unknown }[] = []): ReadonlyMap<string, unknown> {
  return new Map(examples.map(({ key, value }) => [key, value]));
}

/** Prism would give another example in place of one that the contract doesn't have for the status. */
function requireExample({ responses }: Operation, wished: WishedAnswer | null): void {
  const { code, example } = wished ?? {};
  const fitting = responses.filter((each) => code === undefined || each.code === String(code));
  const examples = fitting.flatMap(({ contents = [] }) => contents.flatMap((each) => each.examples ?? []));
  const isMet = example === undefined || examples.some(({ key }) => key === example);
  if (fitting.length === 0 || !isMet) throw noSuchAnswer(wished);
}

function noSuchAnswer(wished: WishedAnswer | null): DomainError {
  const wish = Object.entries(wished ?? {}).map((pair) => pair.join('='));
  return new DomainError(
    'invalid_request',
    `The header Prefer asks for an answer that the contract does not have here: ${wish.join(', ')}.`,
  );
}
