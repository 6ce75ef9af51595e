import type { Operation } from '../access/plans/plans.ts';
import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import { publicRepository } from '../catalog/subjects/public-path.ts';
import type { Connection } from '../platform/database/connect.ts';
import { findAnAccount, findMostTrusted } from './sample-subjects.queries.ts';

/** Existing subjects for example calls; null if the directory has none of a type. */
export interface SampleSubjects {
  agent: SampleListing | null;
  skill: SampleListing | null;
  /** Account in the form `platform:handle`. */
  socialAccount: string | null;
  messagingAccount: string | null;
}

/** A listing with the ids and names by which an example call can refer to it. */
interface SampleListing {
  id: string;
  agentId: string;
  repository: string;
  /** Handle of its creator. */
  creator: string;
}

/** Loads the most trusted agent and skill, and one social and one messaging account. */
export async function loadSampleSubjects(reads: Connection, publicUrls: PublicUrls): Promise<SampleSubjects> {
  const [agent, skill, socialAccount, messagingAccount] = await Promise.all([
    findMostTrusted(reads, 'agent', publicUrls),
    findMostTrusted(reads, 'skill', publicUrls),
    findAnAccount(reads, 'social_account'),
    findAnAccount(reads, 'messaging_account'),
  ]);
  const named = (found: typeof agent): SampleListing | null =>
    found && { ...found, repository: publicRepository(found, publicUrls) ?? found.repository };
  return { agent: named(agent), skill: named(skill), socialAccount, messagingAccount };
}

/** Returns the text of a subject for an example call of an operation; null if the directory has no such subject. */
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
