import { SDK_EXAMPLES } from '../../generated/sdk-examples.ts';
import type { Contract, ContractOperation } from '../../http/contract/contract.ts';
import { curlSample } from './curl-sample.ts';

/** A sample as renderers of API references read it: `x-codeSamples` of an operation. */
export interface CodeSample {
  /** What its words are coloured as. */
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** A whole program in TypeScript: the SDK's own examples of the operation, and a client at this origin for them. */
function sdkSample({ operationId, schemes }: ContractOperation, origin: string): string {
  const calls = (SDK_EXAMPLES[operationId] ?? []).join('\n\n');
  const names = calls.includes('consoleOf(') ? 'consoleOf, TrustDirectory' : 'TrustDirectory';
  const notes = [
    ...(schemes.includes('accessKey') ? ['// Reads the access key from TRUST_DIRECTORY_API_KEY.'] : []),
    ...(names === 'TrustDirectory' ? [] : ['// On a page of this service: the browser sends your session.']),
  ];
  const client = `const client = new TrustDirectory({ baseUrl: '${origin}' });`;
  return [`import { ${names} } from '@trust-directory/sdk';`, '', ...notes, client, '', calls].join('\n');
}

/** How an operation is called at an origin, with the SDK and without it. */
function codeSamples(contract: Contract, operation: ContractOperation, origin: string): CodeSample[] {
  return [
    { lang: 'JavaScript', label: 'TypeScript', source: sdkSample(operation, origin) },
    { lang: 'Shell', label: 'curl', source: curlSample(contract, operation, origin) },
  ];
}

/** The contract as JSON, with samples of every operation that calls the service at an origin. */
export function sampledContract(contract: Contract, origin: string): string {
  const document = structuredClone(contract.document) as { paths: Record<string, Record<string, object>> };
  for (const operation of contract.operations) {
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()] ?? {};
    Object.assign(described, { 'x-codeSamples': codeSamples(contract, operation, origin) });
  }
  return JSON.stringify(document);
}
