/** One kind of items among those whose statements share room. */
interface Sender {
  /** The place in the order of waiting of what has waited longest; null where nothing waits. */
  waitsSince(): number | null;
  /** How many wait. */
  waiting(): number;
  /** Sends one statement of what can go; false where nothing can. */
  send(): boolean;
}

/** Room for statements at work: while it is full, what comes is collected. */
export interface Room {
  join(sender: Sender): void;
  /** A new place in the order of waiting, behind all others. */
  place(): number;
  /** A statement takes its room; the answer gives it back, once. */
  enter(): () => void;
  /** How many wait to be sent, of all kinds. */
  waiting(): number;
  /** Sends what there is room for: at once while nothing is at work; else after this turn of the event loop, with what that still brings. */
  wake(): void;
}

/**
 * Room for `most` statements; of the kinds that wait, the one that has waited longest goes first. A statement that takes
 * longer than `patienceMs` waits for a lock or a disk and gives its room to another.
 */
export function createRoom(most: number, patienceMs = Number.POSITIVE_INFINITY): Room {
  const senders: Sender[] = [];
  let places = 0;
  let atWork = 0;
  let isDue = false;

  function wake(): void {
    if (isDue) return;
    isDue = true;
    if (atWork === 0) queueMicrotask(fill);
    else setImmediate(fill);
  }

  function fill(): void {
    isDue = false;
    while (atWork < most && sendOne());
  }

  function sendOne(): boolean {
    const waiting = senders.flatMap((sender) => {
      const since = sender.waitsSince();
      return since === null ? [] : [{ sender, since }];
    });
    return waiting.sort((one, other) => one.since - other.since).some(({ sender }) => sender.send());
  }

  function enter(): () => void {
    atWork += 1;
    let isIn = true;
    const leave = () => {
      clearTimeout(timer);
      if (isIn) atWork -= 1;
      isIn = false;
      wake();
    };
    const timer = Number.isFinite(patienceMs) ? setTimeout(leave, patienceMs) : undefined;
    return leave;
  }

  return {
    join: (sender) => void senders.push(sender),
    place: () => places++,
    enter,
    waiting: () => senders.reduce((sum, sender) => sum + sender.waiting(), 0),
    wake,
  };
}
