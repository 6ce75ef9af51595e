/** One kind of items among those whose statements share room. */
interface Sender {
  /** The place in the order of waiting of what has waited longest; null where nothing waits. */
  waitsSince(): number | null;
  /** How many wait that somebody waits for. */
  waiting(): number;
  /** Sends one statement of what can go; false where nothing can. */
  send(): boolean;
}

/** Room for statements at work: while it is full, what comes is collected. */
export interface Room {
  join(sender: Sender): void;
  /** A new place in the order of waiting, behind all others. */
  place(): number;
  /** A statement of so many items takes its room; the answer gives it back, once, and what waits goes in its place at once. */
  enter(items: number): () => void;
  /** How many wait to be sent that somebody waits for, of all kinds. */
  waiting(): number;
  /** Sends what there is room for: at once while nothing is at work; else after this turn of the event loop, with what that still brings. */
  wake(): void;
}

/** What comes beside them is worth a statement of its own. */
const FEW = 8;

/** How long statements keep their room for themselves. */
interface Patience {
  /** Beside a statement of more than a few items another goes only once that has been at work for so long; without it at once. */
  readonly besideAfterMs?: number;
  /** What takes longer waits for a lock or a disk, and gives its room to another; without it only its answer does. */
  readonly leaveAfterMs?: number;
}

/** Room for `most` statements; of the kinds that wait, the one that has waited longest goes first. */
export function createRoom(
  most: number,
  { besideAfterMs = 0, leaveAfterMs = Number.POSITIVE_INFINITY }: Patience = {},
): Room {
  const senders: Sender[] = [];
  let places = 0;
  const atWork = createCount();
  const alone = createCount();
  let isDue = false;

  function wake(): void {
    if (isDue) return;
    isDue = true;
    if (atWork.size() === 0) queueMicrotask(fill);
    else setImmediate(fill);
  }

  function fill(): void {
    isDue = false;
    while (atWork.size() < most && alone.size() === 0 && sendOne());
  }

  function sendOne(): boolean {
    const waiting = senders.flatMap((sender) => {
      const since = sender.waitsSince();
      return since === null ? [] : [{ sender, since }];
    });
    return waiting.sort((one, other) => one.since - other.since).some(({ sender }) => sender.send());
  }

  function enter(items: number): () => void {
    const ends = [atWork.begin(leaveAfterMs, wake), alone.begin(items > FEW ? besideAfterMs : 0, wake)];
    return () => {
      for (const end of ends) end();
      fill();
    };
  }

  return {
    join: (sender) => void senders.push(sender),
    place: () => places++,
    enter,
    waiting: () => senders.reduce((sum, sender) => sum + sender.waiting(), 0),
    wake,
  };
}

/** How many there are of what ends when it is told to, or after its time, whichever comes first. */
function createCount() {
  let count = 0;

  function begin(lastsMs: number, onOver: () => void): () => void {
    let isIn = lastsMs > 0;
    if (isIn) count += 1;
    const end = () => {
      clearTimeout(timer);
      if (isIn) count -= 1;
      isIn = false;
    };
    const over = () => {
      end();
      onOver();
    };
    const timer = isIn && Number.isFinite(lastsMs) ? setTimeout(over, lastsMs) : undefined;
    return end;
  }

  return { size: () => count, begin };
}
