/** How a session is asked whether it lives, and who is told. */
export interface Heartbeat {
  /** Resolves with the session's answer; rejects where there is none to come. */
  ask(): Promise<unknown>;
  /** The session has answered what it was asked at this moment of `performance.now()`: all that came before is heard. */
  onAnswer(askedAt: number): void;
  /** It has not answered for as long as counts, or cannot. Told once, and nothing after it. */
  onSilence(error: unknown): void;
  /** Pulses without an answer after which it counts as dead. */
  readonly mostSilent?: number | undefined;
}

/** What time is made of here; a test has its own. */
interface Time {
  now(): number;
  /** Answers what calls it off. */
  later(work: () => void, ms: number): () => void;
}

export const PULSE_MS = 200;
/** Five seconds, where nothing else is said. */
export const MOST_SILENT = 25;

const REAL_TIME: Time = {
  now: () => performance.now(),
  later(work, ms) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Asks a session again and again. Silence is counted in pulses, not on the clock: between two of them this process has looked
 * at what came in, so that a process which stood still itself never takes that for the session's death. Answers what
 * ends it.
 */
export function startHeartbeat(
  { ask, onAnswer, onSilence, mostSilent = MOST_SILENT }: Heartbeat,
  time = REAL_TIME,
): () => void {
  let isAsking = false;
  let silent = 0;
  let isOver = false;
  let callOff: () => void;

  const end = () => {
    isOver = true;
    callOff();
  };
  const fail = (error: unknown) => {
    if (isOver) return;
    end();
    onSilence(error);
  };

  function inquire(): void {
    const askedAt = time.now();
    isAsking = true;
    ask().then(() => {
      if (isOver) return;
      [isAsking, silent] = [false, 0];
      onAnswer(askedAt);
      // An old answer says little of now.
      if (!isOver && time.now() - askedAt > PULSE_MS) inquire();
    }, fail);
  }

  function beat(): void {
    if (!isAsking) inquire();
    else silent += 1;
    if (silent >= mostSilent) fail(new Error('The session does not answer.'));
    else callOff = time.later(beat, PULSE_MS);
  }

  callOff = time.later(beat, PULSE_MS);
  return end;
}
