import type { FastifyReply } from 'fastify';

/** Pages of any origin may read the answer. */
export function allowBrowsers(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*');
}
