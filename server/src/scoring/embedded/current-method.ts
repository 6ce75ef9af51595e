import { RS_1_0_0 } from './method-rs-1.0.0.ts';
import { RS_2_0_0 } from './method-rs-2.0.0.ts';

/** The published methods, oldest first. */
export const METHODS = [RS_1_0_0, RS_2_0_0] as const;

/** Weights and constants of one of the published methods. */
export type Method = (typeof METHODS)[number];

/** Embedded method of new scores. Scores of earlier methods stay until their subjects are scored again. */
export const METHOD = RS_2_0_0;

/** Source name of the embedded backend's scores. */
export const EMBEDDED_SOURCE = 'embedded';

/** Returns true for the version of a published method of this directory, whose prior and constants are known. */
export function isOwnMethod(methodVersion: string | null): boolean {
  return METHODS.some(({ version }) => version === methodVersion);
}
