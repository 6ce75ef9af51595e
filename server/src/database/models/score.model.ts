import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import {
  DOUBLE,
  defaulted,
  JSONB,
  key,
  MOMENT,
  optional,
  type PreciseMoment,
  required,
  TEXT,
  UUID,
} from './columns.ts';
import type { SubjectType } from './subject.model.ts';

/** One confirmed score of a subject; written by SQL only, never changed. */
export interface Score extends Model<InferAttributes<Score>, InferCreationAttributes<Score>> {
  subjectId: string;
  version: PreciseMoment;
  subjectType: SubjectType;
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: 'high' | 'medium' | 'low';
  status: 'complete' | 'partial';
  ownTrust: number;
  ownConfidence: number;
  coverage: CreationOptional<number | null>;
  source: string;
  methodVersion: CreationOptional<string | null>;
  freshness: Date;
  inputsHash: CreationOptional<string | null>;
  inputs: CreationOptional<Record<string, unknown>>;
  contributions: CreationOptional<unknown[]>;
  caps: CreationOptional<unknown[]>;
  accountId: CreationOptional<string | null>;
  ledgerId: CreationOptional<string | null>;
}

/** The table `score`. */
export const defineScore = (sequelize: Sequelize): ModelStatic<Score> =>
  sequelize.define<Score>('score', {
    subjectId: key(UUID),
    version: key(MOMENT),
    subjectType: required(TEXT),
    trust: required(DOUBLE),
    confidence: required(DOUBLE),
    lowerBound: required(DOUBLE),
    tier: required(TEXT),
    status: required(TEXT),
    ownTrust: required(DOUBLE),
    ownConfidence: required(DOUBLE),
    coverage: optional(DOUBLE),
    source: required(TEXT),
    methodVersion: optional(TEXT),
    freshness: required(MOMENT),
    inputsHash: optional(TEXT),
    inputs: defaulted(JSONB),
    contributions: defaulted(JSONB),
    caps: defaulted(JSONB),
    accountId: optional(UUID),
    ledgerId: optional(UUID),
  });
