import { expect, it } from 'vitest';
import { makeAccount } from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { requestFor } from '../../testing/operations/operation-parts.ts';
import { writeListings } from '../../testing/outdated-copies.ts';
import { presentAgent } from '../directory/agents/agent.presenter.ts';
import { loadAgentRecords } from '../directory/agents/agent-record.queries.ts';
import { scoreByMethod } from '../scoring/embedded/embedded-backend.ts';
import { presentOperation } from './operations.handlers.ts';

const world = useOperations();
const REQUEST = requestFor('any');
const SAME = { idempotencyKey: REQUEST.idempotencyKey };

it('a call returns the verdict that the directory shows from then on; its replay has no result', async () => {
  const { database, backend, listing } = world;
  await writeListings(
    database,
    'UPDATE listing SET stars = 900, forks = 80, archived = true, last_commit_at = ledger_now() WHERE subject_id = $1',
    [listing.subjectId],
  );
  backend.behave(async (asked) => scoreByMethod(asked));
  const account = await makeAccount(database);

  const { result } = presentOperation(REQUEST, await world.run(account, SAME));

  const [record] = await loadAgentRecords(database, [listing.subjectId]);
  expect(result?.verdict?.state).toBe('warning');
  expect(result?.verdict?.sentence).toMatch(/^Archived by its owner; /);
  expect(result?.verdict).toEqual(record && presentAgent(record, new Map()).verdict);
  expect(presentOperation(REQUEST, await world.run(account, SAME))).toMatchObject({ result: null });
});
