import { once } from 'node:events';
import { startCluster } from './cluster.ts';

const USAGE = `npm run ha: runs PostgreSQL nodes under Patroni, etcd and HAProxy until Ctrl-C. It takes one variable:
  NODES=3    number of nodes`;

/** Runs a cluster on this machine until Ctrl-C, to try it by hand. */
async function main(): Promise<void> {
  // Listens before the start: an interrupted start would leave its programs running.
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const nodes = Number(process.env.NODES ?? 3);
  console.log(`${nodes} PostgreSQL nodes under Patroni, etcd and HAProxy are starting (half a minute) …`);
  const cluster = await startCluster({ nodes });
  const [first] = cluster.nodes;
  console.log(`The database stands behind HAProxy. In another terminal:

  DATABASE_URL='${cluster.url}' npm start

Who leads:             patronictl -c ${first?.plan.folder}/patroni.yml list
Hand over to another:  patronictl -c ${first?.plan.folder}/patroni.yml switchover
Logs and files:        ${cluster.folder}

Ctrl-C ends all of it and removes the folder.`);
  await ended;
  console.log('Ending …');
  await cluster.stop();
}

if (process.argv.length > 2) {
  console.log(USAGE);
  process.exitCode = process.argv.includes('--help') ? 0 : 2;
} else {
  await main();
}
