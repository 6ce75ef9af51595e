import type { RouteHandlers } from '../generated/fastify.gen.ts';
import { lookUpSubject } from './look-up-subject.ts';
import type { Naming } from './naming.ts';
import { presentSubject } from './subject.presenter.ts';

export interface SubjectHandlerParts {
  naming: Naming;
}

/** Public look-ups of subjects: translates requests and answers, decides nothing. */
export function createSubjectHandlers({
  naming,
}: SubjectHandlerParts): Pick<RouteHandlers, 'lookupSubject' | 'getSubject'> {
  return {
    async lookupSubject(request, reply) {
      const { subject, type } = request.query;
      return reply
        .code(200)
        .send(presentSubject(await lookUpSubject(request.reads, subject, type ?? null, naming)));
    },
    async getSubject(request, reply) {
      const { canonical_id: id } = request.params;
      return reply.code(200).send(presentSubject(await lookUpSubject(request.reads, id, null, naming)));
    },
  };
}
