import type { TestProject } from 'vitest/node';
import { startSharedServer } from './global-setup.ts';
import { startOldestTestServer } from './test-server.ts';

/**
 * Number of partitions of the large tables. The suite on the newest server does not partition them, so both layouts are
 * tested without another run.
 */
const PARTS = 8;

/** Starts the oldest supported PostgreSQL for a project, with a migrated template, and stops it afterwards. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startSharedServer(startOldestTestServer, PARTS);
  project.provide('testServerUrl', server.url);
  project.provide('testTemplate', server.template);
  return server.stop;
}
