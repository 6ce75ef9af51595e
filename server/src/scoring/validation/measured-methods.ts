import { scoreByMethod } from '../embedded/embedded-backend.ts';
import { METHOD } from '../embedded/method-rs-1.0.0.ts';
import type { BackendScore, ScoreRequest } from '../scoring-backend.ts';

/** A scoring method that can be measured: its version, and the pure function that computes a score. */
export interface MeasuredMethod {
  readonly version: string;
  score(request: ScoreRequest): BackendScore;
}

/** Methods of this server, oldest first. A new method is one more entry; all figures then exist for both. */
export const MEASURED_METHODS: readonly MeasuredMethod[] = [
  { version: METHOD.version, score: scoreByMethod },
];
