import type { Connection } from '../database/connect.ts';
import type { Operation } from '../plans/plans.ts';
import type { Naming } from '../subjects/naming.ts';
import { publicRepository } from '../subjects/public-path.ts';
import { findAnAccount, findMostTrusted } from './sample-subjects.repository.ts';

/** Subjects that are there, to show calls with; null where there is none of the kind. */
export interface SampleSubjects {
  agent: SampleListing | null;
  skill: SampleListing | null;
  /** `platform:handle`. */
  socialAccount: string | null;
  messagingAccount: string | null;
}

/** A listing by all that it may be called. */
interface SampleListing {
  id: string;
  agentId: string;
  repository: string;
  /** Handle of its creator. */
  creator: string;
}

/** The most trusted agent and skill, and an account of each type. */
export async function loadSampleSubjects(reads: Connection, naming: Naming): Promise<SampleSubjects> {
  const [agent, skill, socialAccount, messagingAccount] = await Promise.all([
    findMostTrusted(reads, 'agent', naming),
    findMostTrusted(reads, 'skill', naming),
    findAnAccount(reads, 'social_account'),
    findAnAccount(reads, 'messaging_account'),
  ]);
  const named = (found: typeof agent): SampleListing | null =>
    found && { ...found, repository: publicRepository(found, naming) ?? found.repository };
  return { agent: named(agent), skill: named(skill), socialAccount, messagingAccount };
}

/** A subject that an operation can be tried with; null where none is there. */
export function sampleOf(operation: Operation, samples: SampleSubjects): string | null {
  const { agent, skill, socialAccount, messagingAccount } = samples;
  const creator = (agent ?? skill)?.creator;
  const names: Readonly<Record<Operation, string | null | undefined>> = {
    agent_score: agent?.repository,
    skill_score: skill?.repository,
    creator_score: creator && `@${creator}`,
    social_account_score: socialAccount,
    messenger_account_score: messagingAccount,
    agent_skill_lineage: (agent ?? skill)?.repository,
  };
  return names[operation] ?? null;
}
