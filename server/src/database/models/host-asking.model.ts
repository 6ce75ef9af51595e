import type { InferAttributes, InferCreationAttributes, Model, ModelStatic, Sequelize } from 'sequelize';
import { INTEGER, key, MOMENT, required, TEXT, UUID } from './columns.ts';

/** How often an account has had a host asked for its proofs, without an hour's rest in between. */
export interface HostAsking extends Model<InferAttributes<HostAsking>, InferCreationAttributes<HostAsking>> {
  accountId: string;
  host: string;
  times: number;
  lastAt: Date;
}

/** The table `host_asking`. */
export const defineHostAsking = (sequelize: Sequelize): ModelStatic<HostAsking> =>
  sequelize.define<HostAsking>('host_asking', {
    accountId: key(UUID),
    host: key(TEXT),
    times: required(INTEGER),
    lastAt: required(MOMENT),
  });
