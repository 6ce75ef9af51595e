import { METHODS } from '../embedded/current-method.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import type { BackendScore, ScoreRequest } from '../scoring-backend.ts';

/** A scoring method that can be measured: its version, and the pure function that computes a score. */
export interface MeasuredMethod {
  readonly version: string;
  score(request: ScoreRequest): BackendScore;
}

/** Methods of this server, oldest first. */
export const MEASURED_METHODS: readonly MeasuredMethod[] = METHODS.map((method) => ({
  version: method.version,
  score: (request) => scoreByMethod(request, method),
}));
