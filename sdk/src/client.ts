import { type Agents, agentsOf } from './resources/agents.ts';
import { type Identities, identitiesOf } from './resources/identities.ts';
import { type Operations, operationsOf } from './resources/operations.ts';
import { type Packages, packagesOf } from './resources/packages.ts';
import { type Receipts, receiptsOf } from './resources/receipts.ts';
import { type Subjects, subjectsOf } from './resources/subjects.ts';
import { type Call, createCall } from './transport/call.ts';
import { resolveOptions, type TrustDirectoryOptions } from './transport/client-options.ts';
import { definedEntries } from './transport/read-options.ts';
import { createSend, type Send } from './transport/send-request.ts';

/**
 * Client of one Trust Directory. It holds no connection, needs no closing, and serves any number of concurrent calls.
 *
 * @example
 * const client = new TrustDirectory(); // reads TRUST_DIRECTORY_URL and TRUST_DIRECTORY_API_KEY
 * const { data } = await client.agents.list({ q: 'browser' });
 */
export class TrustDirectory {
  /** Search, read and register agents and skills. */
  declare readonly agents: Agents;
  /** Reads creators by their handles. */
  declare readonly identities: Identities;
  /** Look up any subject that has a score. */
  declare readonly subjects: Subjects;
  /** Read the advisories of packages. */
  declare readonly packages: Packages;
  /** Run and price metered operations. */
  declare readonly operations: Operations;
  /** Read receipts of charges. */
  declare readonly receipts: Receipts;
  /**
   * Returns a copy of this client with some options changed. All other options keep their values, including those from
   * the environment. An option that is `undefined` changes nothing. Throws a `ConfigurationError`, whose message
   * contains no value, for an invalid option.
   *
   * @example
   * const patient = client.withOptions({ timeoutMs: 120_000, maxRetries: 5 });
   */
  declare readonly withOptions: (changes: TrustDirectoryOptions) => this;
  /** Sends every request of the client. */
  declare readonly send: Send;
  /** @internal Base URL of the service. */
  declare readonly baseUrl: string;
  /** @internal Calls any endpoint of the contract; the namespaces use it. */
  declare readonly call: Call;

  /** Throws a `ConfigurationError` for an invalid option or a missing base URL. Sends nothing. */
  constructor(options?: TrustDirectoryOptions) {
    const settings = resolveOptions(options);
    const { baseUrl } = settings;
    const send = createSend(settings);
    const call = createCall(baseUrl, send);
    const subjects = subjectsOf(call);
    Object.assign(this, {
      // A closure holds the options, so that printing the client never shows the key.
      withOptions: (changes: TrustDirectoryOptions) =>
        new (this.constructor as typeof TrustDirectory)({
          ...settings,
          ...Object.fromEntries(definedEntries(changes)),
        }),
      agents: agentsOf(call),
      identities: identitiesOf(call),
      subjects,
      packages: packagesOf(call),
      operations: operationsOf(call, subjects),
      receipts: receiptsOf(call),
      send,
      baseUrl,
      call,
    });
  }
}
