import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BIGINT, databaseDefault, defaulted, key, MOMENT, required, UUID } from './columns.ts';

/** A creator that a listing had before. The database writes it whenever a listing becomes another's. */
export interface ListingCreatorHistory
  extends Model<InferAttributes<ListingCreatorHistory>, InferCreationAttributes<ListingCreatorHistory>> {
  id: CreationOptional<number>;
  listingId: string;
  creatorId: string;
  until: CreationOptional<Date>;
}

/** The table `listing_creator_history`. */
export const defineListingCreatorHistory = (sequelize: Sequelize): ModelStatic<ListingCreatorHistory> =>
  sequelize.define<ListingCreatorHistory>('listing_creator_history', {
    id: { ...key(BIGINT), defaultValue: databaseDefault },
    listingId: required(UUID),
    creatorId: required(UUID),
    until: defaulted(MOMENT),
  });
