import { type Agents, agentsOf } from './resources/agents.ts';
import { type Identities, identitiesOf } from './resources/identities.ts';
import { type Operations, operationsOf } from './resources/operations.ts';
import { type Receipts, receiptsOf } from './resources/receipts.ts';
import { type Subjects, subjectsOf } from './resources/subjects.ts';
import { type Call, createCall } from './transport/call.ts';
import { createSend, type Send } from './transport/send.ts';
import { readSettings, type TrustDirectoryOptions } from './transport/settings.ts';

/**
 * Client of one Trust Directory. Holds no connection and needs no closing; one client serves any number of calls at once.
 *
 * @example
 * const client = new TrustDirectory(); // reads TRUST_DIRECTORY_URL and TRUST_DIRECTORY_API_KEY
 * const { data } = await client.agents.list({ q: 'browser' });
 */
export class TrustDirectory {
  /** Search, read and register agents and skills. */
  declare readonly agents: Agents;
  /** Read creators. */
  declare readonly identities: Identities;
  /** Look up anything that has a score. */
  declare readonly subjects: Subjects;
  /** Run and price metered operations. */
  declare readonly operations: Operations;
  /** Read what was charged. */
  declare readonly receipts: Receipts;
  /** @internal What every request goes through. */
  declare readonly send: Send;
  /** @internal Where the service answers. */
  declare readonly baseUrl: string;
  /** @internal Any call of the contract; what the namespaces are made of. */
  declare readonly call: Call;

  /** Throws a `ConfigurationError` for an option that can't be used, and without a base URL. Sends nothing. */
  constructor(options?: TrustDirectoryOptions) {
    const settings = readSettings(options);
    const { baseUrl } = settings;
    const send = createSend(settings);
    const call = createCall(baseUrl, send);
    const subjects = subjectsOf(call);
    Object.assign(this, {
      agents: agentsOf(call),
      identities: identitiesOf(call),
      subjects,
      operations: operationsOf(call, subjects),
      receipts: receiptsOf(call),
      send,
      baseUrl,
      call,
    });
  }
}
