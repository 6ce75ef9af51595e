import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { defaulted, JSONB, key, MOMENT, optional, required, TEXT, UUID } from './columns.ts';

/** A skill, plugin, agent or server inside a listed repository. */
export interface Artifact extends Model<InferAttributes<Artifact>, InferCreationAttributes<Artifact>> {
  subjectId: string;
  registryRowId: string;
  listingId: string;
  type: 'agent' | 'skill';
  kind: string;
  name: string;
  path: CreationOptional<string | null>;
  description: CreationOptional<string>;
  license: CreationOptional<string | null>;
  npmPackage: CreationOptional<string | null>;
  pypiPackage: CreationOptional<string | null>;
  source: string;
  imported: CreationOptional<Record<string, unknown> | null>;
  createdAt: CreationOptional<Date>;
  updatedAt: CreationOptional<Date>;
}

/** The table `artifact`. */
export const defineArtifact = (sequelize: Sequelize): ModelStatic<Artifact> =>
  sequelize.define<Artifact>('artifact', {
    subjectId: key(UUID),
    registryRowId: required(UUID),
    listingId: required(UUID),
    type: required(TEXT),
    kind: required(TEXT),
    name: required(TEXT),
    path: optional(TEXT),
    description: defaulted(TEXT),
    license: optional(TEXT),
    npmPackage: optional(TEXT),
    pypiPackage: optional(TEXT),
    source: required(TEXT),
    imported: optional(JSONB),
    createdAt: defaulted(MOMENT),
    updatedAt: defaulted(MOMENT),
  });
