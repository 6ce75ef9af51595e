import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Operation } from '@trust-directory/sdk';
import type { Example } from './example.ts';
import { scoreText } from './score-text.ts';

interface Pending {
  operation: Operation;
  subject: string;
  idempotency_key: string;
}

/**
 * Resumes a run after a crash of the program: the request is written to a file (second argument) before it is sent, and
 * removed once it is answered. Started again, the program repeats the call with the same key and is charged once. The result
 * may then be lost, so the stored score is read instead.
 */
export const resumeRun: Example = async (client, print, subject = '', path = 'pending-run.json') => {
  const pending = (await read(path)) ?? (await write(path, subject));
  const run = await client.operations.run(pending, { onReplay: 'lookup' });
  await rm(path);
  if (run.result) {
    const { trustScore, confidenceScore } = run.result.scores;
    print(`${pending.subject}: ${scoreText(trustScore, confidenceScore)}, receipt ${run.ledger_id}`);
    return;
  }
  const { trustScore = null, confidence = null } = run.meta.recovered ?? {};
  print(
    `${pending.subject} had been scored before the restart: ${scoreText(trustScore, confidence)} is stored,`,
  );
  print(`receipt ${run.ledger_id}; it was charged once.`);
};

async function read(path: string): Promise<Pending | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function write(path: string, subject: string): Promise<Pending> {
  const pending: Pending = { operation: 'agent_score', subject, idempotency_key: randomUUID() };
  // Fails if another program has written the file meanwhile: with two keys the call would be charged twice.
  await writeFile(path, JSON.stringify(pending), { flag: 'wx', flush: true });
  return pending;
}
