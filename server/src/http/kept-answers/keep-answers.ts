import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preHandlerHookHandler,
  RouteOptions,
} from 'fastify';
import { RANKING } from '../../database/announced-change.ts';
import type { Connection } from '../../database/connect.ts';
import { type ReadRecord, recordReads } from '../../database/recorded-reads.ts';
import { type AnswerMemory, KeptAnswer, type Reading } from './answer-memory.ts';
import { formOf, sendWhole, wholeAnswer } from './whole-answer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * What everybody may read. A public answer that is made of what comes from here, and of the address alone, is kept and
     * sent again until that changes; a handler that reads anything from elsewhere must not use it.
     */
    reads: Connection;
    /** What is noted while its answer is made of `reads` and may be kept. */
    readingAnswer: ReadingAnswer | null;
    /** Where this request reads, while that is not the same for all. */
    ownReads: Connection | null;
    /** What others have read or are reading may be older than what its client knows. */
    readsAlone: boolean;
    /** What its answer is kept as, or was sent again from, where that has to pass the hooks yet. */
    keptAnswer: KeptAnswer | null;
  }
  interface FastifyContextConfig {
    /** Its answers neither order nor count anything by score: they change with the subjects they hold, not with others. */
    unranked?: boolean;
  }
}

interface ReadingAnswer {
  readonly reading: Reading;
  readonly record: ReadRecord;
  readonly connection: Connection;
  /** Headers that belong to the request: they were there before the answer was. */
  readonly own: object;
  /** What is sent where the client has nothing of it yet. */
  whole: { payload: string | Buffer; type: string } | null;
}

/** Where public answers are kept, and what they are read from. */
export interface AnswerKeeping {
  /** Null: nothing is kept. */
  readonly memory: AnswerMemory | null;
  readonly reads: Connection;
  /** Where a request that begins now reads; never rejects. Absent: they all read from `reads`. */
  readonly beginReads?: (() => Promise<Connection>) | undefined;
}

/**
 * Sends public answers from memory, once every change is heard that was committed before the request; those that left before
 * in the same form past all hooks. A request whose process hears too late reads the database itself. Register before the hooks that give
 * answers their headers, and before any route; where requests are counted (`isCounted`), none is answered before its turn.
 */
export function keepAnswers(
  app: FastifyInstance,
  { memory, reads, beginReads }: AnswerKeeping,
  isCounted = false,
): void {
  app.decorateRequest('readingAnswer', null);
  app.decorateRequest('ownReads', null);
  app.decorateRequest('readsAlone', false);
  app.decorateRequest('keptAnswer', null);
  app.decorateRequest('reads', {
    getter(this: FastifyRequest) {
      return this.readingAnswer?.connection ?? this.ownReads ?? reads;
    },
  });
  if (memory === null) {
    if (beginReads) {
      app.addHook('onRoute', (route) => {
        if (mayBeKept(route)) addPreHandler(route, findReads);
      });
    }
    return;
  }

  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  /** True where it was answered. A server that stops tells each client so: then every answer passes the hooks. */
  const sentWhole = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const form = isStopping ? null : formOf(request);
    const whole = form === null ? undefined : memory.getWhole(request.url, form);
    if (whole) sendWhole(request, reply, whole);
    return whole !== undefined;
  };
  if (!isCounted)
    app.addHook('onRequest', (request, reply, done) => {
      const form = isStopping ? null : formOf(request);
      if (form === null || !memory.hasWhole(request.url, form)) return done();
      memory.hearAll((hasHeard) => {
        request.readsAlone = !hasHeard;
        if (!hasHeard || !sentWhole(request, reply)) done();
      });
    });
  app.addHook('onSend', (request, reply, payload, done) => {
    const answer = request.readingAnswer;
    const isWhole = reply.statusCode === 200 && (typeof payload === 'string' || Buffer.isBuffer(payload));
    if (answer && isWhole) answer.whole = { payload, type: String(reply.getHeader('content-type')) };
    done();
  });
  // Hooks of a route come after those of the whole server: by then a request is counted, and judged by its headers.
  app.addHook('onRoute', (route) => {
    if (!mayBeKept(route)) return;
    route.onRequest = [
      ...hooksOf(route.onRequest),
      (request, reply, done) => {
        const send = () => {
          if (isCounted && sentWhole(request, reply)) return;
          const kept = memory.get(request.url);
          if (!kept) return done();
          request.keptAnswer = kept;
          sendAgain(reply, kept);
        };
        if (request.readsAlone) return done();
        if (!memory.has(request.url)) return send();
        memory.hearAll((hasHeard) => {
          if (hasHeard) return send();
          request.readsAlone = true;
          done();
        });
      },
    ];
    // The contract has judged the request by now: what a reading begins for is an address that is taken.
    addPreHandler(route, (request, reply, done) => {
      const other = request.readsAlone ? undefined : memory.underWay(request.url);
      if (!other) {
        begin(request, reply);
        return findReads(request, reply, done);
      }
      other.outcome.then(
        (answer) => (answer ? sendAgain(reply, answer) : findReads(request, reply, done)),
        done,
      );
    });
    route.onSend = [
      ...hooksOf(route.onSend),
      (request, reply, _payload, done) => {
        finish(request, reply);
        done();
      },
    ];
    // However a request ends, nobody waits for it longer.
    route.onResponse = [
      ...hooksOf(route.onResponse),
      (request, _reply, done) => {
        request.readingAnswer?.reading.giveUp();
        done();
      },
    ];
  });

  function begin(request: FastifyRequest, reply: FastifyReply): void {
    const reading = memory?.begin(request.url);
    if (!reading) return;
    request.readingAnswer = { reading, ...recordReads(reads), own: reply.getHeaders(), whole: null };
  }

  /**
   * After its reading has begun, never before: a change that is heard of in between drops that one, and one that was heard of
   * before is found where it reads.
   */
  function findReads(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
    if (!beginReads) done();
    else {
      void beginReads().then((own) => {
        request.ownReads = own;
        if (request.readingAnswer) Object.assign(request.readingAnswer, recordReads(own));
        done();
      });
    }
  }

  function finish(request: FastifyRequest, reply: FastifyReply): void {
    const answer = request.readingAnswer;
    if (!answer) return;
    const { reading, record, own, whole } = answer;
    const headers = answerHeaders(reply, own);
    const isTold = record.statements > 0 && record.unknown === null;
    if (!isTold || !whole || headers === null) {
      reading.giveUp();
      return;
    }
    const { unranked } = request.routeOptions.config;
    headers['content-type'] = whole.type;
    if (!unranked) record.ids.add(RANKING);
    const kept = new KeptAnswer(whole.payload, headers);
    request.keptAnswer = kept;
    reading.keep(kept, { parts: record.ids, goodUntil: record.goodUntil });
  }
}

/** An answer that sets a cookie or ends its connection is for one client. */
const PERSONAL: ReadonlySet<string> = new Set(['set-cookie', 'connection']);

/** Headers of the answer itself; null where one of them is for one client. */
function answerHeaders(reply: FastifyReply, own: object): Record<string, string | number> | null {
  const found: Record<string, string | number> = {};
  const all = reply.getHeaders();
  for (const name in all) {
    if (name in own) continue;
    if (PERSONAL.has(name)) return null;
    found[name] = all[name] as string | number;
  }
  return found;
}

/**
 * Notes how answers that are kept leave, so that the next one in the same form leaves at once. Register after all hooks that
 * change an answer or its headers.
 */
export function noteWholeAnswers(app: FastifyInstance, { memory }: AnswerKeeping): void {
  if (memory === null) return;
  app.addHook('onRoute', (route) => {
    if (!mayBeKept(route)) return;
    route.onSend = [
      ...hooksOf(route.onSend),
      (request, reply, payload, done) => {
        const { keptAnswer, url } = request;
        const form = keptAnswer && reply.statusCode === 200 ? formOf(request) : null;
        const whole = keptAnswer && form !== null ? wholeAnswer(reply, payload, keptAnswer) : null;
        if (keptAnswer && form !== null && whole) memory.keepWhole(url, form, keptAnswer, whole);
        done();
      },
    ];
  });
}

function mayBeKept({ method, config }: RouteOptions): boolean {
  return method === 'GET' && config?.public === true;
}

function addPreHandler(route: RouteOptions, hook: preHandlerHookHandler): void {
  route.preHandler = [...hooksOf(route.preHandler), hook];
}

function hooksOf<Hook>(hooks: Hook | Hook[] | undefined): Hook[] {
  return hooks === undefined ? [] : ([hooks].flat() as Hook[]);
}

function sendAgain(reply: FastifyReply, { body, headers }: KeptAnswer): void {
  reply.headers(headers).send(body);
}
