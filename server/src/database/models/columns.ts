import { DataTypes, literal } from 'sequelize';

/** Lets the database fill the column: its own default, identity or generated expression. */
export const databaseDefault = literal('DEFAULT');

declare const precise: unique symbol;

/**
 * A moment whose microseconds matter (a score version). A JavaScript Date would lose them, so models can neither read
 * nor write it: SQL does, and lets it out through utc_text().
 */
export interface PreciseMoment {
  readonly [precise]: 'utc_text() in SQL';
}

/** `required(TEXT)`: NOT NULL without a default. */
export const required = <Type>(type: Type) => ({ type, allowNull: false }) as const;

/** `optional(TEXT)`: NULL allowed. */
export const optional = <Type>(type: Type) => ({ type, allowNull: true }) as const;

/** `defaulted(BOOLEAN)`: NOT NULL, filled by the database when left out. */
export const defaulted = <Type>(type: Type) =>
  ({ type, allowNull: false, defaultValue: databaseDefault }) as const;

/** The row's key, or a part of it. */
export const key = <Type>(type: Type) => ({ type, allowNull: false, primaryKey: true }) as const;

/** The types that our tables are made of, under PostgreSQL's names. */
export const { UUID, TEXT, BOOLEAN, BIGINT, INTEGER, SMALLINT, DOUBLE, JSONB } = DataTypes;
export const TEXTS = DataTypes.ARRAY(DataTypes.TEXT);
export const MOMENT = DataTypes.DATE;
export const BYTES = DataTypes.BLOB;
