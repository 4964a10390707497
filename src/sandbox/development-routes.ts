import { Router, type RequestHandler } from 'express';
import { clockRoutes } from './clock-routes';
import type { SandboxClock } from './sandbox-clock';
import type { WalkDesk } from './walk-desk';

/** What the sandbox host app offers beside a development service alone: its clock, and walks. */
export const developmentRoutes = (clock: SandboxClock, walks: WalkDesk): RequestHandler => Router().use(walks.routes(), clockRoutes(clock));
