import type { RequestHandler } from 'express';
import type { Partner } from '../../../../domain/partners/partner-draft';
import { InvalidInput, type FieldProblem } from '../../../../domain/shared/errors';
import { bodyOf } from './json-body';
import { mergePatch, type PlainObject, plainOf } from './merge-patch';
import type { PartnerWire } from './partner-wire';
import { tidyUrls } from './tidy-urls';

/** The check of a URL that an operator sends. */
export interface UrlRules {
  /** Why the service would not call a URL. */
  readonly urlProblem: (url: string) => string | undefined;
  /** URLs of plain http may be stored. */
  readonly allowHttp: boolean;
  /** Why it would not call the addresses that the URL's name has now; asked of URLs without a problem only. */
  readonly addressProblem: (url: string) => Promise<string | undefined>;
}

/**
 * Looks up the names of the URLs in a body that is to be stored, before any row is locked for it. Refuses with InvalidInput
 * those whose addresses may not be called; the reader of the body reports its other problems.
 */
export function refuseForbiddenAddresses<P extends Partner>(wire: PartnerWire<P>, rules: UrlRules): RequestHandler {
  return async (req, _res, next) => {
    const given = mergePatch({}, plainOf(tidyUrls(bodyOf(req), rules).body).plain) as PlainObject;
    const looked = Object.entries(wire.read(given).calledUrls).map(async ([path, url]): Promise<readonly FieldProblem[]> => {
      if (typeof url !== 'string' || rules.urlProblem(url) !== undefined) return [];
      const rule = await rules.addressProblem(url);
      return rule === undefined ? [] : [{ path, rule }];
    });
    const problems = (await Promise.all(looked)).flat();
    if (problems.length > 0) throw new InvalidInput(problems);
    next();
  };
}
