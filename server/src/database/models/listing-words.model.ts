import type { InferAttributes, InferCreationAttributes, Model, ModelStatic, Sequelize } from 'sequelize';
import { BOOLEAN, key, required, TEXT, TSVECTOR } from './columns.ts';

/** What a listing is found by, and copies of what searches are counted by, which a trigger keeps right. */
export interface ListingWords
  extends Model<InferAttributes<ListingWords>, InferCreationAttributes<ListingWords>> {
  agentId: string;
  type: 'agent' | 'skill';
  verified: boolean;
  tier: string;
  category: string;
  words: string;
}

/** The table `listing_words`. */
export const defineListingWords = (sequelize: Sequelize): ModelStatic<ListingWords> =>
  sequelize.define<ListingWords>('listing_words', {
    agentId: key(TEXT),
    type: required(TEXT),
    verified: required(BOOLEAN),
    tier: required(TEXT),
    category: required(TEXT),
    words: required(TSVECTOR),
  });
