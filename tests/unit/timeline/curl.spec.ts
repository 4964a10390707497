import { apiRoutes, type Controllers } from '../../../src/adapters/in/http/routes';
import { callPaths, curlOf } from '../../../src/domain/timeline/curl';
import { anExchange } from '../../contract/exchanges/exchange-log.contract';

/** Any action will do: none is called. */
const anything: Controllers = Object.fromEntries(
  ['signOn', 'consent', 'partnerLogin', 'orders', 'events', 'analytics'].map((name) => [name, {}]),
) as unknown as Controllers;

it('knows the path of every call that is recorded, as the routes have it', () => {
  const recorded = apiRoutes(anything).filter(({ recorded: isRecorded }) => isRecorded);
  expect(callPaths).toEqual(Object.fromEntries(recorded.map(({ call, paths }) => [call, paths[0]!.slice(1)])));
});

it('writes a call as a command with placeholders', () => {
  const exchange = anExchange(1, { checks: ['basic'], refused: { check: 'signature', of: 'hostapp' } });
  expect(curlOf(exchange, 'https://platform.example')).toBe(
    [
      `curl -X POST 'https://platform.example/api/v1/connect/'`,
      `-u 'host_1:YOUR_SECRET_KEY'`,
      `-H 'Content-Type: application/json'`,
      `-H 'X-Request-Id: req-1-again'`,
      `-H 'X-Timestamp: UNIX_TIME'`,
      `-H 'X-Signature: YOUR_SIGNATURE'`,
      `--data '{"client_id":"host_1","app_id":"app_1","user":{"reference":"USER_REFERENCE"}}'`,
    ].join(' \\\n  '),
  );
  expect(curlOf(anExchange(1, { call: 'reconcile' }), 'https://platform.example')).toBeUndefined();
});
