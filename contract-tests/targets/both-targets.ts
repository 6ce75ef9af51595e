import { makeListing } from '../../server/testing/factories.ts';
import { bearer } from './client.ts';
import { sharedMock } from './mock/shared-mock.ts';
import { callersOf } from './server/callers.ts';
import { openServerWorld, type ServerWorld } from './server/server-world.ts';

/** URL of a target, and the headers of a caller that may do everything there. */
export interface Place {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The real server and the mock, which get the same requests. */
export interface BothTargets {
  readonly world: ServerWorld;
  readonly server: Place;
  readonly mock: Place;
  stop(): Promise<void>;
}

/** Opens both targets. The server knows one agent, `example-labs/agent`. */
export async function openBothTargets(): Promise<BothTargets> {
  const world = await openServerWorld();
  const mock = await sharedMock();
  const { key } = await callersOf(world).account();
  await makeListing(world.database, { owner: 'example-labs', name: 'agent' });
  return {
    world,
    server: { url: await world.urlOf('working'), headers: bearer(key.secret) },
    mock: { url: mock.url, headers: bearer('any') },
    stop: world.stop,
  };
}
