import { Agents } from './agents.ts';
import { createCall } from './call.ts';
import { Identities } from './identities.ts';
import { Operations } from './operations.ts';
import { readSettings, type TrustDirectoryOptions } from './settings.ts';

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
  /** Run and price metered operations. */
  readonly operations: Operations;

  /** Throws a `ConfigurationError` for an option that can't be used. Sends nothing. */
  constructor(options: TrustDirectoryOptions = {}) {
    const call = createCall(readSettings(options));
    this.agents = new Agents(call);
    this.identities = new Identities(call);
    this.operations = new Operations(call);
  }
}
