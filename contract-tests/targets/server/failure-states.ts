import { newSecret } from '../../../server/src/platform/http/credentials/secret.ts';
import { bearer } from '../client.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

/** Number of client addresses used so far in this worker. Each test that uses up a rate limit takes a new one. */
let addresses = 0;

/** Creates the states of failures that any operation may meet. */
export function failureStates({
  clientOn,
  unseenClientOn,
}: StateTools): MakersOf<'an unforeseen fault' | 'a database that is away' | 'an address out of requests'> {
  // Well-formed key, so that operations that need one get as far as the database.
  const someone = () => bearer(newSecret());
  return {
    'an unforeseen fault': async () => ({ client: await clientOn('failing', someone()) }),
    'a database that is away': async () => ({ client: await clientOn('cut off', someone()) }),
    'an address out of requests': async () => {
      addresses += 1;
      const from = { 'X-Forwarded-For': `2001:db8:${addresses.toString(16)}::1` };
      const client = await unseenClientOn('limited by address', from);
      await client.GET('/api/agents');
      return { client: await clientOn('limited by address', from) };
    },
  };
}
