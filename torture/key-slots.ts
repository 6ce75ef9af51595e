import { createKey } from '../server/src/access/keys/create-key.ts';
import { withOperatorSession } from '../server/src/accounts/sign-in/sign-in-link.ts';
import { connect } from '../server/src/platform/database/connect.ts';
import { DomainError } from '../server/src/platform/errors/domain-error.ts';
import { KEY_SCOPES } from '../server/src/platform/http/credentials/principal.ts';
import { makeAccount, PLAN_BOOK } from '../server/testing/factories.ts';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { type Experiment, mustHold } from './experiment.ts';

const CREATES = 10;

/** C9: concurrent creates of the only key that a Free account may have, through two pools like two processes. */
export const keySlots: Experiment = {
  id: 'C9',
  promise: 'ten creates at once give a Free account one active key',
  unit: 'rounds',
  amount: { suite: fewerUnlessNightly(5, 50), long: 500 },
  async run(arena, rounds) {
    const { database, url } = await arena.database();
    const other = connect(url);
    arena.atEnd(() => other.close());
    const { accountId } = await makeAccount(database);
    const create = (place: number) =>
      withOperatorSession(database, accountId, (sessionId) =>
        createKey(place % 2 === 0 ? database : other, PLAN_BOOK, {
          sessionId,
          name: `key ${place}`,
          scopes: KEY_SCOPES,
          expiresAt: null,
        }).then(
          () => 'created',
          (error) => (error instanceof DomainError ? error.code : Promise.reject(error)),
        ),
      );
    for (let round = 0; round < rounds; round++) {
      await database.query(
        'UPDATE access_key SET revoked_at = ledger_now() WHERE account_id = $1 AND revoked_at IS NULL',
        [accountId],
      );
      const results = await Promise.all(Array.from({ length: CREATES }, (_, place) => create(place)));
      const created = results.filter((result) => result === 'created').length;
      const refused = results.filter((result) => result === 'key_limit_reached').length;
      const [row] = await database.query<{ active: number }>(
        'SELECT count(*)::int AS active FROM access_key WHERE account_id = $1 AND revoked_at IS NULL',
        [accountId],
      );
      mustHold(
        created === 1 && refused === CREATES - 1 && row?.active === 1,
        `round ${round}: ${results}, ${row?.active} active`,
      );
      arena.progress(round + 1);
    }
    return { rounds, creates: rounds * CREATES, created: rounds };
  },
};
