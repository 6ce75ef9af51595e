import { fork } from 'node:child_process';
import { once } from 'node:events';
import { endLater } from './ending.mjs';

/** Sends SIGTERM to a child process and waits until it has exited. */
export async function endChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

/** Starts a child process of the benchmark; `tell` sends it one order and resolves with its answer. */
export function startChild(file, options = {}) {
  const child = fork(file, options);
  const stop = endLater(() => endChild(child));
  return {
    stop,
    async tell(order) {
      const gone = new AbortController();
      const onExit = (code, signal) => gone.abort(`${file} ended with ${code ?? signal}`);
      child.once('exit', onExit);
      try {
        child.send(order);
        const [answer] = await once(child, 'message', { signal: gone.signal });
        if (answer.error) throw new Error(answer.error);
        return answer;
      } catch (error) {
        throw gone.signal.aborted ? new Error(gone.signal.reason) : error;
      } finally {
        child.off('exit', onExit);
      }
    },
  };
}

/** Carries out each order that the parent process sends and replies with the result. Called in the child process. */
export function answerOrders(carryOut) {
  process.on('message', (order) => {
    carryOut(order).then(
      (answer) => process.send(answer),
      (error) => process.send({ error: error.stack }),
    );
  });
}

/** Runs a program of the benchmark to its end and returns its output. Throws for an exit code above 1. */
export async function programOutput(file, environment = {}) {
  const env = { ...process.env, ...environment };
  const child = fork(file, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const stop = endLater(() => endChild(child));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    process.stderr.write(chunk);
  });
  const [code, signal] = await once(child, 'close');
  await stop();
  // Exit code 1 means that a target was missed, which the output says.
  if (code !== 0 && code !== 1) throw new Error(`${file} ended with ${code ?? signal}`);
  return output;
}
