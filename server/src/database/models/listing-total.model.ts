import type { InferAttributes, InferCreationAttributes, Model, ModelStatic, Sequelize } from 'sequelize';
import { BIGINT, BOOLEAN, required, TEXT } from './columns.ts';

/** A difference of how many listings there are of one sort; triggers insert it, a list's total is the sum. */
export interface ListingTotal
  extends Model<InferAttributes<ListingTotal>, InferCreationAttributes<ListingTotal>> {
  type: 'agent' | 'skill';
  verified: boolean;
  tier: string;
  category: string;
  difference: number;
}

/** The table `listing_total`, which has no key: Sequelize is kept from inventing one. */
export const defineListingTotal = (sequelize: Sequelize): ModelStatic<ListingTotal> => {
  const model = sequelize.define<ListingTotal>('listing_total', {
    type: required(TEXT),
    verified: required(BOOLEAN),
    tier: required(TEXT),
    category: required(TEXT),
    difference: required(BIGINT),
  });
  model.removeAttribute('id');
  return model;
};
