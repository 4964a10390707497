import type { RequestHandler } from 'express';

/** Where the page of a sandbox partner, or other routes of its own, are put, once what they need is known; until then every call passes by. */
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
