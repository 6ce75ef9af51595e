import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BIGINT, databaseDefault, defaulted, key, MOMENT, required, TEXT, TEXTS, UUID } from './columns.ts';

/** What an owner said of a listing until their proof ended. */
export interface ListingFormerWords
  extends Model<InferAttributes<ListingFormerWords>, InferCreationAttributes<ListingFormerWords>> {
  id: CreationOptional<number>;
  listingId: string;
  registeredBy: string;
  name: string;
  description: string;
  category: string;
  tags: string[];
  until: CreationOptional<Date>;
}

/** The table `listing_former_words`. */
export const defineListingFormerWords = (sequelize: Sequelize): ModelStatic<ListingFormerWords> =>
  sequelize.define<ListingFormerWords>('listing_former_words', {
    id: { ...key(BIGINT), defaultValue: databaseDefault },
    listingId: required(UUID),
    registeredBy: required(UUID),
    name: required(TEXT),
    description: required(TEXT),
    category: required(TEXT),
    tags: required(TEXTS),
    until: defaulted(MOMENT),
  });
