import type { TestProject } from 'vitest/node';
import { startSharedServer } from './global-setup.ts';
import { startOldestTestServer } from './test-server.ts';

/** Gives one project the oldest PostgreSQL that the service runs on, with a migrated template; its end stops it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startSharedServer(startOldestTestServer);
  project.provide('testServerUrl', server.url);
  project.provide('testTemplate', server.template);
  return server.stop;
}
