import type { ErrorRequestHandler, RequestHandler } from 'express';

/** A sandbox partner's refusal, sent as the Error body with this status. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Answers 404 when no route matches. */
export const noSuchPath: RequestHandler = () => {
  throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this path');
};

/** Sends every refusal as `{error_code, error_message}` (contract/conventions#error-body). */
export const answerRefusal: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) {
    next(error);
    return;
  }
  const { status, code, message } = asRefusal(error);
  if (status === 401) response.set('WWW-Authenticate', 'Basic');
  response.status(status).json({ error_code: code, error_message: message });
};

/** Errors of the body reader carry their own status. */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  return status === 500
    ? new Refusal(500, 'UNKNOWN_ERROR', 'The sandbox partner failed')
    : new Refusal(status, 'INVALID_INPUT', 'The request body cannot be read');
}
