/** Resources that were started and not yet ended, in the order in which they were started. */
const started = [];

/** Promise of the end of all resources; null until `endAll` is called. */
let ending = null;

/** Registers how a resource is ended. Returns a function that ends the resource; further calls have no effect. */
export function endLater(end) {
  if (!listening) endWhenInterrupted();
  const entry = { end };
  started.push(entry);
  return async () => {
    // While `endAll` runs, leave the resources to it, because it ends them in the right order. Otherwise a failing part
    // of the benchmark could remove the folder of a server that is still stopping.
    if (ending) return ending;
    const place = started.indexOf(entry);
    if (place < 0) return;
    started.splice(place, 1);
    await end();
  };
}

/** Ends all remaining resources, the last one first: servers and load processes before the folders that they use. */
export function endAll() {
  ending ??= (async () => {
    for (let entry = started.pop(); entry; entry = started.pop())
      await Promise.resolve(entry.end()).catch((error) => console.error(error.message));
  })();
  return ending;
}

/** Does the last work of an interrupted process, before it exits. */
let last = () => undefined;
let listening = false;

/** Sets the work that an interrupted process does after everything is ended. */
export function atInterruption(work) {
  last = work;
}

/** Makes Ctrl-C and `kill` end all started resources before this process exits. */
function endWhenInterrupted() {
  listening = true;
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    process.on(signal, () => {
      if (ending) return;
      console.error('interrupted: ending what was started');
      // Requests in progress fail when their server stops, and no caller handles these errors any more.
      process.on('uncaughtException', () => undefined).on('unhandledRejection', () => undefined);
      endAll().then(() => {
        last();
        process.exit(code);
      });
    });
  }
}
