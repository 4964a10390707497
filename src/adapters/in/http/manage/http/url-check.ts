import type { RequestHandler } from 'express';
import type { Partner } from '../../../../../domain/partners/partner-draft';
import { InvalidInput, type FieldProblem } from '../../../../../domain/shared/errors';
import { bodyOf } from './json-body';
import { mergePatch, type PlainObject, plainOf } from './merge-patch';
import type { PartnerMapper } from '../partners/partner-mapper';
import { tidyUrls } from './tidy-urls';

/** Checks on a URL that an operator sends. */
export interface UrlRules {
  /** Why the service would not call a URL; `undefined` when it would. */
  readonly urlProblem: (url: string) => string | undefined;
  /** Whether URLs with plain http may be stored. */
  readonly allowHttp: boolean;
  /** Why the service would not call the current addresses of the URL's host. Call it only for URLs without a problem. */
  readonly addressProblem: (url: string) => Promise<string | undefined>;
}

/**
 * Resolves the hosts of the URLs in a body before any row is locked. Throws InvalidInput for those whose addresses may not be called; the
 * reader of the body reports its other problems.
 */
export function refuseForbiddenAddresses<P extends Partner>(mapper: PartnerMapper<P>, rules: UrlRules): RequestHandler {
  return async (req, _res, next) => {
    const given = mergePatch({}, plainOf(tidyUrls(await bodyOf(req), rules).body).plain) as PlainObject;
    const checked = Object.entries(mapper.read(given).calledUrls).map(async ([path, url]): Promise<readonly FieldProblem[]> => {
      if (typeof url !== 'string' || rules.urlProblem(url) !== undefined) return [];
      const rule = await rules.addressProblem(url);
      return rule === undefined ? [] : [{ path, rule }];
    });
    const problems = (await Promise.all(checked)).flat();
    if (problems.length > 0) throw new InvalidInput(problems);
    next();
  };
}
