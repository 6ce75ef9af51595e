import { describe, expect, it } from 'vitest';
import type { ContractOperation } from '../../server/src/platform/http/contract/contract.ts';
import { loadContract } from '../../server/src/platform/http/contract/parse-contract.ts';
import { REPEATABLE, TAKES_KEY } from '../src/generated/request-rules.ts';

const { operations } = loadContract();
const BASES = ['http://127.0.0.1:4000', 'https://trust.example/run/register/get'];
/** Ids that look like the ends of other paths. */
const IDS = ['AGT-7K2MQ9XD', 'run', 'register', 'receipts', 'post%20run'];

/** Returns requests of an operation as texts, with the method in upper case (the client) and in lower case (`rawOf`). */
function requestsOf({ method, path, query }: ContractOperation): string[] {
  const queries = Object.keys(query).length > 0 ? ['', '?q=%2Fapi%2Freceipts&limit=2'] : [''];
  const urls = BASES.flatMap((base) =>
    IDS.flatMap((id) => queries.map((tail) => `${base}${path.replaceAll(/\{\w+\}/g, id)}${tail}`)),
  );
  return urls.flatMap((url) => [`${method} ${url}`, `${method.toLowerCase()} ${url}`]);
}

describe.each(operations.map((operation) => [operation.operationId, operation] as const))(
  'a request of %s',
  (_name, operation) => {
    const { method, schemes, extensions } = operation;

    it('carries the key exactly if the contract says so', () => {
      const keyed = requestsOf(operation).filter((request) => TAKES_KEY.test(request));

      expect(keyed).toEqual(schemes.includes('accessKey') ? requestsOf(operation) : []);
    });

    it('is retried exactly if the contract says so', () => {
      const repeated = requestsOf(operation).filter((request) => REPEATABLE.test(request));

      const mayBe = method === 'GET' || extensions['x-repeatable'] === true;
      expect(repeated).toEqual(mayBe ? requestsOf(operation) : []);
    });
  },
);
