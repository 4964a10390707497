import * as stub from '../../support/partners/stub-behaviours';

/** The ways in which a partner can hang, break off, mislead and flood (R7), each by its name. */
export const illBehaviours: readonly (readonly [string, stub.Behaviour])[] = [
  ['hangs before its headers', stub.hangBeforeHeaders],
  ['hangs in its body', stub.hangInBody],
  ['sends a byte a second', stub.drip],
  ['resets the connection', stub.reset],
  ['closes early', stub.earlyClose],
  ['states a wrong length', stub.wrongLength],
  ['answers with a page', stub.html],
  ['answers with an empty body', stub.empty],
  ['answers with no body', stub.nothing],
  ['answers with 50 MB', stub.huge],
  ['answers with a gzip bomb', stub.gzipBomb],
  ['redirects', stub.redirect('http://127.0.0.1:9/')],
  ['answers with invalid JSON', stub.invalidJson],
  ['answers with 100,000 brackets', stub.brackets],
];
