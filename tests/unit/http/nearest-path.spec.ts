import { nearestPath } from '../../../src/adapters/in/http/reading/nearest-path';

const known = ['/api/v1/connect', '/api/v1/authorize', '/api/v1/orders/complete-order', '/api/v1/miniapps/:app_id/settings'];
const connect = '/api/v1/connect/';

describe('the nearest public path', () => {
  it.each([
    ['a letter too many', '/api/v1/connnect', connect],
    ['a letter too few', '/api/v1/conect/', connect],
    ['another letter', '/api/v1/cannect', connect],
    ['a letter in another case', '/api/v1/Connect', connect],
    ['a letter off behind a slash', '/api/v1/orders/complete_order/', '/api/v1/orders/complete-order/'],
    ['a doubled slash', '/api/v1//connect/', connect],
    ['a doubled slash at the end', '/api/v1/connect//', connect],
    ['the prefix doubled', '/api/v1/api/v1/connect', connect],
    ['the version doubled', '/api/v1/v1/connect', connect],
    ['no prefix', '/connect', connect],
    ['another version', '/api/v2/connect/', connect],
  ])('is named where %s: %s', (_what, path, near) => {
    expect(nearestPath(path, known)).toBe(near);
  });

  it.each(['/', '/api/v1/', '/api/v1/connect/now', '/api/v1/conct', '/favicon.ico', `/api/v1/${'/'.repeat(200)}connect`])(
    'is not named for %s',
    (path) => {
      expect(nearestPath(path, known)).toBeUndefined();
    },
  );
});
