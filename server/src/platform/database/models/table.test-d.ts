/**
 * Checks the types of the models at compile time; this file is never run. Each `@ts-expect-error` marks a line that
 * must not compile.
 */
import type { Connection } from '../connect.ts';
import { NOW } from './table.ts';

/** Checks that every call names its transaction. */
export async function transactions({ models, transaction }: Connection, id: string): Promise<void> {
  // @ts-expect-error A read without a transaction.
  await models.Account.findOne({ where: { id } });
  // @ts-expect-error A write without one.
  await models.Account.update({ suspendedAt: NOW }, { where: { id } });
  // @ts-expect-error A new row without one.
  await models.Account.create({ id, plan: 'free' }, {});
  // @ts-expect-error A deletion without one.
  await models.Account.destroy({ where: { id } });

  await models.Account.update({ suspendedAt: NOW }, { where: { id }, transaction });
}
