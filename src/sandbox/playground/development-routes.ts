import { Router, type RequestHandler } from 'express';
import { clockRoutes } from '../clock/clock-routes';
import type { SandboxClock } from '../clock/sandbox-clock';
import type { DemoScenarios } from '../demo/demo-scenarios';

/** Routes that the sandbox host app has only beside a development service: its clock, and the demo. */
export const developmentRoutes = (clock: SandboxClock, demo: DemoScenarios): RequestHandler =>
  Router().use(demo.routes(), clockRoutes(clock));
