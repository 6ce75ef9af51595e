import type { InferAttributes, InferCreationAttributes, Model, ModelStatic, Sequelize } from 'sequelize';
import { key, MOMENT, optional, required, TEXT, TEXTS, UUID } from './columns.ts';

/** What the registry says of a listing that has the words of its owner, or of another who registered it. */
export interface ListingRegistryWords
  extends Model<InferAttributes<ListingRegistryWords>, InferCreationAttributes<ListingRegistryWords>> {
  listingId: string;
  kind: string;
  name: string;
  description: string;
  category: string;
  tags: string[];
  source: string;
  registeredBy: string | null;
  creatorId: string | null;
  claimsSince: Date;
}

/** The table `listing_registry_words`. */
export const defineListingRegistryWords = (sequelize: Sequelize): ModelStatic<ListingRegistryWords> =>
  sequelize.define<ListingRegistryWords>('listing_registry_words', {
    listingId: key(UUID),
    kind: required(TEXT),
    name: required(TEXT),
    description: required(TEXT),
    category: required(TEXT),
    tags: required(TEXTS),
    source: required(TEXT),
    registeredBy: optional(UUID),
    creatorId: optional(UUID),
    claimsSince: required(MOMENT),
  });
