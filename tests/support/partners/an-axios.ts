import { Axios, AxiosHeaders, type InternalAxiosRequestConfig } from 'axios';
import { Agent, type Dispatcher } from 'undici';
import type { PartnerAxios } from '../../../src/adapters/out/partner-http/undici-adapter';

/** What a partner answers; an empty body and no headers where nothing else is said. */
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: Buffer;
}

/** An axios that reaches nobody: `answer` hears each request as it would be sent. */
export const anAxios = (answer: (sent: InternalAxiosRequestConfig) => Answer | Promise<Answer>): PartnerAxios =>
  new Axios({
    adapter: async (config) => {
      const { status, headers = {}, data = Buffer.alloc(0) } = await answer(config);
      return { status, statusText: '', headers: new AxiosHeaders(headers), data, config };
    },
  });

const unused = new Agent();

/** For what never comes to a connection. */
export const noConnections: { to: () => Dispatcher } = { to: () => unused };
