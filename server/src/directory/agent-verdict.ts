import { readVerdict, type Verdict, verdictOf } from '../scoring/verdict/verdict.ts';
import type { AgentRecord } from './agent-record.ts';

/** The verdict of a listing's score: the stored one, or the one that its evidence comes to; null without a score. */
export function agentVerdict({ verdict, reasons, evidence, confidence }: AgentRecord): Verdict | null {
  if (verdict !== null) return readVerdict(verdict, reasons ?? []);
  return evidence === null || confidence === null ? null : verdictOf({ ...evidence, confidence });
}
