/** Resources that were started and not yet ended, in order. */
const started = [];

/** All of it ending, once that has begun. */
let ending = null;

/** Notes how something is ended that has been started. Answers what ends it, once, at the end of its work. */
export function endLater(end) {
  if (!listening) endWhenInterrupted();
  const entry = { end };
  started.push(entry);
  return async () => {
    // Each thing in its turn: what fails meanwhile must not take away the folder of a server that still ends.
    if (ending) return ending;
    const place = started.indexOf(entry);
    if (place < 0) return;
    started.splice(place, 1);
    await end();
  };
}

/** Ends all that is still there, the last first: servers, load and references by their ids, then the folders. */
export function endAll() {
  ending ??= (async () => {
    for (let entry = started.pop(); entry; entry = started.pop())
      await Promise.resolve(entry.end()).catch((error) => console.error(error.message));
  })();
  return ending;
}

/** Runs last before an interrupted process exits. */
let last = () => undefined;
let listening = false;

/** Sets the work that an interrupted process does after everything is ended. */
export function atInterruption(work) {
  last = work;
}

/** Makes Ctrl-C and `kill` end what was started before this process. */
function endWhenInterrupted() {
  listening = true;
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    process.on(signal, () => {
      if (ending) return;
      console.error('interrupted: ending what was started');
      // What is under way fails when its server ends, and nobody is left to hear of it.
      process.on('uncaughtException', () => undefined).on('unhandledRejection', () => undefined);
      endAll().then(() => {
        last();
        process.exit(code);
      });
    });
  }
}
