import { once } from 'node:events';
import { startCluster } from './cluster.ts';

/** Runs a cluster on this machine until Ctrl-C, to try it by hand. */
async function main(): Promise<void> {
  console.log('Three PostgreSQL nodes under Patroni, etcd and HAProxy are starting (half a minute) …');
  const cluster = await startCluster({ nodes: Number(process.env.NODES ?? 3) });
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
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

await main();
