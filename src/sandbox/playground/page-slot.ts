import type { RequestHandler } from 'express';

/** A placeholder for a partner's page and own routes, which are set later. Until then requests pass through. */
export class PageSlot {
  private page: RequestHandler | undefined;

  show(page: RequestHandler): void {
    this.page = page;
  }

  readonly serve: RequestHandler = (request, response, next) => {
    if (this.page) void this.page(request, response, next);
    else next();
  };
}
