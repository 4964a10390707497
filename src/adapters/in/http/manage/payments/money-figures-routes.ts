import {
  attemptEdges,
  type Backlog,
  type DeliveryFigureReader,
  type EndpointFigures,
} from '../../../../../domain/deliveries/delivery-figures';
import {
  overdueAfterMs,
  type PaymentCounts,
  type PaymentFigureReader,
  type TimeToFinalBar,
} from '../../../../../domain/payments/payment-figures';
import type { Clock } from '../../../../../domain/shared/ports';
import { moneyFigureCalls } from '../figures/figure-calls';
import { wantedFigures } from '../figures/figure-routes';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { type Mount, serve } from '../http/serve';

export interface MoneyFiguresDeps {
  readonly paymentFigures: PaymentFigureReader;
  readonly deliveryFigures: DeliveryFigureReader;
  readonly clock: Clock;
}

/** Milliseconds that a range may end before now and still include the backlog. */
const endsNowMs = 300_000;

/** Serves exact counts over records created in a range. */
export function moneyFiguresRoutes(mount: Mount, { paymentFigures, deliveryFigures, clock }: MoneyFiguresDeps): void {
  serve(mount, moneyFigureCalls, {
    payments: async (req, res, query) => {
      const wanted = wantedFigures(req, query, clock.now());
      const counts = await paymentFigures.count({ ...wanted, now: clock.now() });
      res.json({ from: timeText(wanted.from), to: timeText(wanted.to), ...countsView(counts) });
    },
    deliveries: async (req, res, query) => {
      const wanted = wantedFigures(req, query, clock.now());
      const endsNow = clock.now() - wanted.to < endsNowMs;
      const [endpoints, backlog] = await Promise.all([
        deliveryFigures.endpoints(wanted),
        endsNow ? deliveryFigures.backlog({ ...wanted, to: Math.min(wanted.to, clock.now()) }) : undefined,
      ]);
      res.json({
        ...{ from: timeText(wanted.from), to: timeText(wanted.to), attempt_edges: attemptEdges },
        endpoints: endpoints.map(endpointView),
        ...(backlog && { backlog: backlogView(backlog) }),
      });
    },
  });
}

const countsView = ({ funnel, inProcess, overdue, bars, p50Ms, p95Ms }: PaymentCounts): object => ({
  funnel,
  in_process: inProcess,
  overdue,
  overdue_after_ms: overdueAfterMs,
  time_to_final: present({ bars: bars.map(barView), p50_ms: p50Ms, p95_ms: p95Ms }),
});

const barView = ({ fromMs, toMs, final, overdue }: TimeToFinalBar): object => present({ from_ms: fromMs, to_ms: toMs, final, overdue });

const endpointView = ({ firstTry, byAttempts, ...endpoint }: EndpointFigures): object => ({
  ...endpoint,
  first_try: firstTry,
  by_attempts: byAttempts,
});

const backlogView = ({ depth, oldest, line }: Backlog): object =>
  present({
    depth,
    oldest: oldest === undefined ? undefined : timeText(oldest),
    line: line.map((point) => ({ at: timeText(point.at), depth: point.depth })),
  });
