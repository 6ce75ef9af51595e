import type { Client } from 'openapi-fetch';
import { type Agents, agentsOf } from './agents.ts';
import { type Call, createCall } from './call.ts';
import type { paths } from './generated/schema.ts';
import { type Identities, identitiesOf } from './identities.ts';
import { type Operations, operationsOf } from './operations.ts';
import { rawClient } from './raw.ts';
import { type Receipts, receiptsOf } from './receipts.ts';
import { createSend } from './send.ts';
import { readSettings, type TrustDirectoryOptions } from './settings.ts';
import { type Subjects, subjectsOf } from './subjects.ts';
import { urlsAt } from './urls.ts';

/**
 * Client of one Trust Directory. Holds no connection and needs no closing; one client serves any number of calls at once.
 *
 * @example
 * const client = new TrustDirectory(); // reads TRUST_DIRECTORY_URL and TRUST_DIRECTORY_API_KEY
 * const { data } = await client.agents.list({ q: 'browser' });
 */
export class TrustDirectory {
  /** Search, read and register agents and skills. */
  readonly agents: Agents;
  /** Read creators. */
  readonly identities: Identities;
  /** Look up whatever has a score. */
  readonly subjects: Subjects;
  /** Run and price metered operations. */
  readonly operations: Operations;
  /** Read what was charged. */
  readonly receipts: Receipts;
  /**
   * The typed openapi-fetch client beneath, with the same key, retries and deadline. It answers `{ data, error, response }`
   * and takes middleware, which sees each logical request once.
   */
  readonly raw: Client<paths>;
  /** @internal Any call of the contract; what the namespaces are made of. */
  readonly call: Call;

  /** Throws a `ConfigurationError` for an option that can't be used. Sends nothing. */
  constructor(options: TrustDirectoryOptions = {}) {
    const settings = readSettings(options);
    const send = createSend(settings);
    const call = createCall(urlsAt(settings.baseUrl), send);
    this.raw = rawClient(settings.baseUrl, send);
    this.call = call;
    this.agents = agentsOf(call);
    this.identities = identitiesOf(call);
    this.subjects = subjectsOf(call);
    this.operations = operationsOf(call, this.subjects);
    this.receipts = receiptsOf(call);
  }
}
