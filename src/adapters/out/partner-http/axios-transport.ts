import type { AxiosAdapter, AxiosInstance } from 'axios' with { 'resolution-mode': 'import' };
import type { Agent } from 'undici';
import type { Clock } from '../../../domain/shared/ports';
import { dispatch, type Dispatched } from './dispatch';
import type { HttpTransport, WireAnswer, WireRequest } from './http-transport';
import { NoAnswer } from './no-answer';

/**
 * HttpTransport by axios, whose interceptors and configuration a host may add to; what is sent goes over the same connections. axios is
 * loaded where one is made: a process that calls partners straight does without (ADR 049).
 */
export class AxiosTransport implements HttpTransport {
  private readonly whole: Promise<AxiosInstance>;
  private readonly statusFirst: Promise<AxiosInstance>;
  private readonly clock: Clock;

  constructor(deps: { connections: Agent; clock: Clock }) {
    this.clock = deps.clock;
    this.whole = instanceOver(deps.connections, false);
    this.statusFirst = instanceOver(deps.connections, true);
  }

  async send({ method, url, headers, body, deadline, statusSuffices = false }: WireRequest): Promise<WireAnswer> {
    const instance = await (statusSuffices ? this.statusFirst : this.whole);
    const remaining = deadline - this.clock.now();
    if (remaining <= 0) throw new NoAnswer('connect-timeout', false);
    return (await instance.request<WireAnswer>({ method, url, headers, data: body, timeout: remaining })).data;
  }
}

async function instanceOver(connections: Agent, statusSuffices: boolean): Promise<AxiosInstance> {
  const { default: axios } = await import('axios');
  return axios.create({
    adapter: adapterOf(connections, statusSuffices),
    validateStatus: null,
    transformRequest: [],
    transformResponse: [],
  });
}

/** The transport under axios: its answer is the whole of what came. */
const adapterOf =
  (agent: Agent, statusSuffices: boolean): AxiosAdapter =>
  async (config) => {
    const { url = '', method = 'get', headers, timeout = 0 } = config;
    const given = { headers: headers.toJSON() as Record<string, string>, ...(config.data ? { body: config.data as Buffer } : {}) };
    const request: Dispatched = { method: method.toUpperCase() as Dispatched['method'], url, ...given, statusSuffices };
    const data = await dispatch(agent, request, timeout);
    return { status: data.status, statusText: '', headers: {}, data, config };
  };
