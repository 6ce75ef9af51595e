import type { AccountFacts } from '../facts/account-facts.ts';
import { daysSince } from './curves.ts';
import type { Limit } from './frame.ts';
import { METHOD } from './rs-1.0.0.ts';

/** The caps in force for a social or messaging account. What is unknown caps nothing. */
export function accountLimits(facts: AccountFacts, now: Date): Limit[] {
  const { scam_flag, audience_spike, young_account } = METHOD.caps;
  const limits: Limit[] = [];
  if (facts.scamFlag?.value === true) limits.push({ cap: 'scam_flag', limit: scam_flag.limit });
  if (facts.audienceDayGrowth !== null && facts.audienceDayGrowth.value > audience_spike.aboveGrowth) {
    limits.push({ cap: 'audience_spike', limit: audience_spike.limit });
  }
  const createdAt = facts.accountCreatedAt;
  if (createdAt !== null && daysSince(createdAt.value, now) < young_account.underDays) {
    limits.push({ cap: 'young_account', limit: young_account.limit });
  }
  return limits;
}
