import type { IncomingMessage } from 'node:http';
import { headerReader } from '../../../domain/credentials/check';

const readHost = headerReader('Host');

/**
 * Throws INVALID_INPUT where a request names two hosts, because a proxy and this service could pick different ones. Source:
 * contract/conventions#paths.
 */
export const requireOneHost = (req: Pick<IncomingMessage, 'rawHeaders'>): void => void readHost(req);
