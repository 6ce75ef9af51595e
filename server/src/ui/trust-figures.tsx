import { restsOnDefaults, type Verdict } from '../scoring/verdict/verdict.ts';
import { formatConfidence, formatTrust } from './text.tsx';

interface Figures {
  trust: number;
  confidence: number;
  /** Null where nobody can tell any more what the score was made of. */
  verdict: Pick<Verdict, 'reasons'> | null;
}

/** In place of figures that thousands share, since nothing was observed. */
export const NOT_ENOUGH = 'Not enough evidence';

/** A score's two figures in one line: "Trust 61 · Confidence 48%". Null is no confirmed score. */
export function figuresText(figures: Figures | null): string {
  if (figures === null) return 'No score yet';
  const { trust, confidence, verdict } = figures;
  if (verdict !== null && restsOnDefaults(confidence, verdict.reasons)) return NOT_ENOUGH;
  return `Trust ${formatTrust(trust)} · Confidence ${formatConfidence(confidence)}`;
}
