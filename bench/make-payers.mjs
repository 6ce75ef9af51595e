import { giveCredits, makeAccount } from '../server/testing/factories.ts';

const AT_ONCE = 8;
const CREDITS = 1_000_000_000;

/** Creates accounts that can pay for everything and returns the secrets of their keys. */
export async function makePayers(database, accounts) {
  const keys = [];
  const makeSome = async () => {
    while (keys.length < accounts) {
      const place = keys.push(null) - 1;
      const { accountId, key } = await makeAccount(database);
      await giveCredits(database, accountId, CREDITS);
      keys[place] = key.secret;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, makeSome));
  return keys;
}
