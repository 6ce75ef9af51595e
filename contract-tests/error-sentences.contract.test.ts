import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { REFUSED_REQUESTS } from './refused-requests.ts';
import { startMockTarget } from './targets/mock/mock-target.ts';
import { startServerTarget } from './targets/server/server-target.ts';
import type { Target } from './targets/target.ts';

let server: Target;
let mock: Target;
beforeAll(async () => {
  [server, mock] = await Promise.all([startServerTarget(() => undefined), startMockTarget(() => undefined)]);
});
afterEach(() => server.restore());
afterAll(() => Promise.all([server?.stop(), mock?.stop()]));

type Refusal = Readonly<Record<string, unknown>>;

/** Removes numbers, ids and names from a refusal, so that refusals of different cases can be compared. */
function withoutNames(refusal: Refusal): Refusal {
  const { error, message, operation: _asked, candidates, ledger_id, ...rest } = refusal;
  const sentence = String(message ?? error)
    .replaceAll(/AGT-\w{8}/g, '<id>')
    .replaceAll(/\w{8}(-\w{4}){3}-\w{12}/g, '<id>')
    .replaceAll(/https?:\/\/[\w.:]+/g, '<site>')
    .replaceAll(/[\w.]+(?:\/[\w.<>-]+){2}/g, '<repository>')
    .replaceAll(/(?<=the handle |The handle |github.com for )[\w-]+/g, '<name>')
    .replaceAll(/\d+/g, '<number>');
  return { ...rest, ...(message !== undefined && { error }), sentence, ledger_id: typeof ledger_id };
}

it.each(REFUSED_REQUESTS)('%s is refused in the same words by both targets', async (name, refused) => {
  const [byServer, byMock] = [await refused(server), await refused(mock)];

  expect(byServer, name).toBeTypeOf('object');
  expect(withoutNames(byMock as Refusal)).toEqual(withoutNames(byServer as Refusal));
});
