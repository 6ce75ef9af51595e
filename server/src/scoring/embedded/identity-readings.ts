import type { CreatorAccounts, Observed } from '../facts/repository-facts.ts';
import { daysSince, growth } from './curves.ts';
import { METHOD } from './rs-1.0.0.ts';
import { missing, observed, type Reading } from './signal.ts';

/** Evidence of the proved accounts: something for having looked, more the more is proved. */
interface AccountsRule {
  evidence: { base: number; share: number };
}

/** Half-lives and ages in days. */
interface AgeRule {
  evidence: { mass: number; halfLife: number };
  halfLife: number;
  young: { underDays: number; factor: number };
}

/** Reads a creator's proved accounts, for the creator or for a listing of theirs. */
export function readAccounts(fact: Observed<CreatorAccounts> | null, { evidence }: AccountsRule): Reading {
  if (fact === null) return missing("the creator's accounts have not been checked");
  const share = provedShare(fact.value);
  return observed(fact, share, evidence.base + evidence.share * share);
}

/** Reads the age of a creator's account, for the creator or for a listing of theirs: young ones are cheap to make. */
export function readAccountAge(fact: Observed<string> | null, rule: AgeRule, now: Date): Reading {
  if (fact === null) return missing("the age of the creator's account is not known");
  const { evidence, halfLife, young } = rule;
  const days = daysSince(fact.value, now);
  const value = growth(days, halfLife) * (days < young.underDays ? young.factor : 1);
  return observed(fact, value, evidence.mass * growth(days, evidence.halfLife));
}

function provedShare(proved: CreatorAccounts): number {
  const { repoHost, nodePackages, pythonPackages, professionalNetwork } = METHOD.provedAccounts;
  return (
    (proved.repoHost ? repoHost : 0) +
    (proved.nodePackages ? nodePackages : 0) +
    (proved.pythonPackages ? pythonPackages : 0) +
    (proved.professionalNetwork ? professionalNetwork : 0)
  );
}
