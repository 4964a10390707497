import type { FastifyInstance } from 'fastify';

/** A call that is not served, with its status and the code of the answer. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly statusCode = 400,
  ) {
    super(code);
  }
}

/** Refusals and failures leave through one place; what does not fit its schema has the status 400 by Fastify. */
export function answerRefusals(app: FastifyInstance): void {
  app.setErrorHandler<Error & { readonly code?: string; readonly statusCode?: number }>((error, _request, reply) => {
    const { statusCode = 500, message } = error;
    const code = error instanceof Refusal ? error.code : statusCode < 500 ? 'INVALID_INPUT' : 'UNKNOWN_ERROR';
    return reply.code(statusCode).send({ error_code: code, error_message: message });
  });
}
