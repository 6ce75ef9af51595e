import type { InferAttributes, InferCreationAttributes, Model, ModelStatic, Sequelize } from 'sequelize';
import { BIGINT, key, required, TEXT, UUID } from './columns.ts';

/** A name that led to a delisted listing, or to what is inside it. */
export interface DelistedName
  extends Model<InferAttributes<DelistedName>, InferCreationAttributes<DelistedName>> {
  label: string;
  subjectType: string;
  subjectId: string;
  kind: string;
  delistingId: number;
}

/** The table `delisted_name`. */
export const defineDelistedName = (sequelize: Sequelize): ModelStatic<DelistedName> =>
  sequelize.define<DelistedName>('delisted_name', {
    label: key(TEXT),
    subjectType: key(TEXT),
    subjectId: key(UUID),
    kind: required(TEXT),
    delistingId: required(BIGINT),
  });
