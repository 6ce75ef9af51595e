import type { Verdict as WireVerdict } from '../../generated/types.gen.ts';
import { REASONS } from './reasons.ts';
import type { Verdict } from './verdict.ts';

/** A verdict under the wire's names: each reason's code with its words. */
export function presentVerdict({ state, sentence, reasons }: Verdict): WireVerdict {
  return { state, sentence, reasons: reasons.map((code) => ({ code, text: REASONS[code].phrase })) };
}
