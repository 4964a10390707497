/** The definition of one metric. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels?: readonly string[];
  /** Upper bounds of a histogram's buckets, in milliseconds. */
  readonly edgesMs?: readonly number[];
  /**
   * How the gauges of several processes behind one port are combined: their sum (the default), their maximum, or one series per `worker`.
   */
  readonly across?: 'sum' | 'max' | 'each';
}

const counter = (help: string, ...labels: string[]): MetricDefinition => ({ type: 'counter', help, labels });
const gauge = (help: string, ...labels: string[]): MetricDefinition => ({ type: 'gauge', help, labels });
const timed = (help: string, edgesMs: readonly number[], ...labels: string[]): MetricDefinition => ({
  type: 'histogram',
  help,
  edgesMs,
  labels,
});
/** A gauge with the same value on every instance. */
const shared = (help: string, ...labels: string[]): MetricDefinition => ({ type: 'gauge', help, labels, across: 'max' });
const own = (help: string): MetricDefinition => ({ type: 'gauge', help, across: 'each' });

const callEdges = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 20_000];
const coarseEdges = [50, 250, 1000, 5000, 20_000];
const pair = ['client_id', 'app_id'] as const;

/** Every metric of a scrape by its name. A test compares the operator's guide with it. */
export const metricCatalogue = {
  pierhead_build_info: { ...shared('The version that runs; always 1', 'version', 'node') },
  pierhead_serving_processes: gauge('Processes that serve behind the port and answered this scrape'),

  pierhead_requests_total: counter(
    'Requests that were answered, by endpoint and HTTP status; "aborted": the caller had left',
    'call',
    'status',
  ),
  pierhead_request_duration_seconds: timed('From the head of a request to the end of its answer', callEdges, 'call'),
  pierhead_requests_in_flight: gauge('Calls that were read whole and are not answered'),
  pierhead_requests_shed_total: counter('Requests refused unread because too much came, by who is refused first', 'priority'),
  pierhead_unreadable_values_total: counter('Stored values that did not open, by column', 'column'),
  pierhead_rate_limited_total: counter('Calls refused because a limit was reached', 'limit'),
  pierhead_errors_total: counter('Error answers to relayed calls by code; "partner": a code of a partner\'s own', 'error_code'),
  pierhead_checks_refused_total: counter('Calls refused by a check, and whose credentials they were', 'check', 'of'),

  pierhead_integration_requests_total: counter('Relayed calls by integration, and who failed', ...pair, 'outcome'),
  pierhead_integration_request_duration_seconds: timed('Relayed calls by integration', coarseEdges, ...pair),

  pierhead_partner_calls_total: counter('Calls to partners by side and step', 'side', 'step', 'outcome'),
  pierhead_partner_call_duration_seconds: timed('Calls to partners, answered or not', callEdges, 'side', 'step'),
  pierhead_partner_calls_unanswered_total: counter('Calls to partners without a readable answer, by why there was none', 'side', 'cause'),
  pierhead_partner_calls_refused_total: counter(
    'Calls held back from a partner: its slots are taken, or its circuit is open',
    'side',
    'step',
    'cause',
  ),
  pierhead_partner_circuits_open: gauge('Endpoints whose circuit is not closed, for all or for one integration', 'side', 'step'),
  pierhead_partner_slots_in_use: gauge('Calls that hold slots at partners; 1,024 and a reserve of 512 in each process'),
  pierhead_token_refreshes_total: counter('Tokens asked for at host apps: of users, and of the service itself', 'token', 'outcome'),

  pierhead_delivery_attempts_total: counter('Attempts to deliver by kind and outcome', 'kind', 'outcome'),
  pierhead_delivery_attempt_duration_seconds: timed('Attempts to deliver, received or not', callEdges, 'kind'),
  pierhead_deliveries_given_up_total: counter('Deliveries given up by this instance'),
  pierhead_deliveries_pending: shared('Pending deliveries; counted to 100,000'),
  pierhead_deliveries_parked: shared('Deliveries that wait for something to be switched on; counted to 100,000'),
  pierhead_deliveries_dead: shared('Deliveries that were given up and are kept; counted to 100,000'),
  pierhead_delivery_oldest_seconds: shared('Age of the oldest pending delivery; 0: none is pending'),
  pierhead_delivery_late_seconds: shared('By how much the most overdue attempt is late, by the circuit of its endpoint', 'state'),
  pierhead_endpoint_queues: shared('Endpoints whose deliveries are in trouble, by the state of their queue', 'state'),
  pierhead_host_apps_left_alone: shared('Host apps that are not asked about payments for now, as they failed'),

  pierhead_exchange_records_waiting: gauge('Exchange records in memory, not yet written'),
  pierhead_exchange_records_dropped_total: counter('Exchange records lost, as the database was away for too long or refused them'),

  pierhead_database_up: { ...shared('1: the database answered this scrape') },
  pierhead_database_pool_connections: gauge('Connections to the database', 'state'),
  pierhead_database_pool_connections_max: gauge('Connections to the database that there may be'),
  pierhead_database_pool_waiting: gauge('Statements that wait for a connection'),
  pierhead_database_pool_acquired_total: counter('Connections lent to statements'),
  pierhead_database_size_bytes: shared('Size of the database'),
  pierhead_database_connections: shared('Connections of all who use the database'),
  pierhead_database_connections_max: shared('Connections that the database takes'),
  pierhead_database_migrations_pending: shared('Migrations that this version knows and that were not applied'),

  pierhead_clock_difference_seconds: own("By how much the machine's clock is ahead of the database's"),

  process_cpu_seconds_total: { type: 'counter', help: 'Processor time, user and system', across: 'each' },
  process_resident_memory_bytes: own('Resident memory'),
  process_start_time_seconds: own('When the process started, in seconds since the epoch'),
  nodejs_heap_size_used_bytes: own('Heap in use'),
  nodejs_heap_size_total_bytes: own('Heap'),
  nodejs_external_memory_bytes: own('Memory of buffers and other things outside the heap'),
  nodejs_eventloop_lag_p50_seconds: own('Delay of the event loop since the last scrape, median'),
  nodejs_eventloop_lag_p99_seconds: own('Delay of the event loop since the last scrape, 99th percentile'),
  nodejs_eventloop_lag_max_seconds: own('Delay of the event loop since the last scrape, longest'),
  nodejs_eventloop_utilization_ratio: own('Share of the time since the last scrape in which the event loop was busy'),
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof metricCatalogue;

/** The definition of a metric with the general type instead of the literal one. */
export const definitionOf = (name: MetricName): MetricDefinition => metricCatalogue[name];
