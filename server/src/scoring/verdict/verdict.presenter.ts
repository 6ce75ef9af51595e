import type { Verdict as WireVerdict } from '../../generated/types.gen.ts';
import { REASONS } from './reasons.ts';
import type { Verdict } from './verdict.ts';

/** Converts a verdict to the API's names: each reason's code with its text. */
export function presentVerdict({ state, sentence, reasons, texts = {} }: Verdict): WireVerdict {
  return {
    state,
    sentence,
    reasons: reasons.map((code) => ({ code, text: texts[code] ?? REASONS[code].phrase })),
  };
}
