import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { balanceOf } from './balance.ts';
import { changesOf } from './changes.ts';
import { TrustDirectory } from './client.ts';
import { consoleOf } from './console.ts';
import * as directory from './directory.ts';
import { scoresOf } from './scores.ts';
import type { Fetch, FetchInit } from './transport/client-options.ts';

type Method = (...args: unknown[]) => Promise<unknown>;

interface Contract {
  paths: Record<string, Record<string, { operationId?: string; security?: object[] }>>;
}

const contract: Contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));

const OPERATIONS = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => operationId)
    .map(([method, { operationId, security }]) => ({ method, path, operationId, security })),
);

/** Finds the operation of a request: of all operations whose paths match, the one with the fewest path parameters. */
function operationOf(url: string, { method }: FetchInit): string | undefined {
  const { pathname } = new URL(url);
  const fitting = OPERATIONS.filter(
    (operation) =>
      operation.method.toUpperCase() === method &&
      new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  const parameters = (path: string) => path.split('{').length;
  return fitting.sort((one, other) => parameters(one.path) - parameters(other.path))[0]?.operationId;
}

/** Collects every function within an object, at any depth. */
function methodsOf(value: object): Method[] {
  return Object.values(value).flatMap((member) => {
    if (typeof member === 'function') return [member];
    return typeof member === 'object' && member !== null ? methodsOf(member) : [];
  });
}

/** Calls the methods, each with an id and all options, and returns the operations of the contract that they request. */
async function calledBy(methods: (fetch: Fetch) => Method[], own = false): Promise<Set<unknown>> {
  const called = new Set<unknown>();
  const fetch: Fetch = async (url, init) => {
    called.add(operationOf(url, init));
    return new Response('{}', { status: 400 });
  };
  const options = own ? { fetch } : {};
  for (const method of methods(fetch)) {
    const args = method.length > 1 ? ['AGT-7K2MQ9XD', options, options] : [options];
    await method(...args).catch(() => {});
  }
  return called;
}

describe('every operation of the contract', () => {
  it('has a method', async () => {
    const called = await calledBy((fetch) => {
      const client = new TrustDirectory({ baseUrl: 'https://trust.example', apiKey: 'svc_live_x', fetch });
      const { agents, identities, subjects, packages, operations, receipts } = client;
      const own = [
        operations,
        receipts,
        balanceOf(client),
        changesOf(client),
        scoresOf(client),
        consoleOf(client),
      ];
      return methodsOf([agents, identities, subjects, packages, ...own]);
    });

    expect(called).toEqual(new Set(OPERATIONS.map(({ operationId }) => operationId)));
  });

  it('without a credential has a function in /directory', async () => {
    vi.stubEnv('TRUST_DIRECTORY_URL', 'https://trust.example');
    const readers = Object.entries(directory).filter(([name]) =>
      /^(get|list|lookup|explain|compare)/.test(name),
    );

    const called = await calledBy(() => readers.map(([, read]) => read as Method), true);
    vi.unstubAllEnvs();

    const open = OPERATIONS.filter(({ security }) => security?.length === 0);
    expect(called).toEqual(new Set(open.map(({ operationId }) => operationId)));
  });
});
