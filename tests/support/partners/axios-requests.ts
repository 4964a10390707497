import type { InternalAxiosRequestConfig } from 'axios';
import { resolve } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import type { TestService } from '../service/service';

/** The requests that a service makes by axios, from now on: one entry a call of the library. */
export function axiosRequests({ composed }: TestService): InternalAxiosRequestConfig[] {
  const made: InternalAxiosRequestConfig[] = [];
  const { interceptors } = resolve(composed.container, T.partnerHttp).axios;
  interceptors.request.use((config) => {
    made.push(config);
    return config;
  });
  return made;
}
