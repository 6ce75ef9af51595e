import type { TestProject } from 'vitest/node';
import { startSharedServer } from './global-setup.ts';
import { startOldestTestServer } from './test-server.ts';

/** The suite on the newest server has its hot tables whole; here they are cut, so that each is shown without a run more. */
const PARTS = 8;

/** Gives one project the oldest PostgreSQL that the service runs on, with a migrated template; its end stops it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startSharedServer(startOldestTestServer, PARTS);
  project.provide('testServerUrl', server.url);
  project.provide('testTemplate', server.template);
  return server.stop;
}
