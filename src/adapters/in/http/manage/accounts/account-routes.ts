import type { Request, Response } from 'express';
import type { ManageAccounts } from '../../../../../domain/accounts/manage-accounts';
import type { AccountRepository } from '../../../../../domain/accounts/ports';
import type { PageRequest } from '../../../../../domain/partners/ports';
import { viewerOf } from '../http/access';
import { AccountPatchDto, accountRole, InviteDto } from './account.dto';
import { accountView, linkView } from './account-view';
import { readInput } from '../http/json-body';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { pageOf } from '../http/query';
import { type Mount, originOf, pathId, serve } from '../http/serve';
import { accountCalls } from './account-calls';

export interface AccountRoutesDeps {
  readonly accounts: AccountRepository;
  readonly manageAccounts: ManageAccounts;
  readonly publicBaseUrl: string;
}

/** Serves the calls about accounts. */
export const accountRoutes = (mount: Mount, deps: AccountRoutesDeps): void => {
  serve(mount, accountCalls, new AccountsController(deps));
};

class AccountsController {
  constructor(private readonly deps: AccountRoutesDeps) {}

  readonly list = async (_req: Request, res: Response, { page }: { readonly page: PageRequest }): Promise<void> => {
    res.json(await pageOf(page, (request) => this.deps.accounts.list(request), { show: accountView, cursorOf: ({ id }) => id }));
  };

  readonly invite = async (req: Request, res: Response): Promise<void> => {
    const { email, name, ...role } = await readInput(req, InviteDto);
    const { account, link } = await this.deps.manageAccounts.invite({ email, name, ...accountRole(role) }, originOf(req));
    res.status(201).location(`${req.baseUrl}/accounts/${account.id}`);
    res.json({ ...accountView(account), link: linkView(link, this.deps.publicBaseUrl) });
  };

  readonly get = async (req: Request, res: Response): Promise<void> => {
    const account = await this.deps.accounts.find(pathId(req, 'id'));
    if (!account) throw new ManageProblem('not-found');
    res.json(accountView(account));
  };

  readonly patch = async (req: Request, res: Response): Promise<void> => {
    const id = pathId(req, 'id');
    const { name, disabled } = await readInput(req, AccountPatchDto);
    if (disabled === true) requireOther(req, id);
    res.json(accountView(await this.deps.manageAccounts.change(id, present({ name, isDisabled: disabled }), originOf(req))));
  };

  readonly remove = async (req: Request, res: Response): Promise<void> => {
    const id = pathId(req, 'id');
    requireOther(req, id);
    await this.deps.manageAccounts.remove(id, originOf(req));
    res.status(204).end();
  };

  readonly link = async (req: Request, res: Response): Promise<void> => {
    const link = await this.deps.manageAccounts.passwordLink(pathId(req, 'id'), originOf(req));
    res.status(201).json(linkView(link, this.deps.publicBaseUrl));
  };

  readonly operatorLink = async (req: Request, res: Response): Promise<void> => {
    res.status(201).json(linkView(await this.deps.manageAccounts.operatorLink(originOf(req)), this.deps.publicBaseUrl));
  };
}

/** Prevents callers from locking themselves out. Throws ManageProblem. */
function requireOther(req: Request, id: string): void {
  if (viewerOf(req).accountId === id) throw new ManageProblem('conflict', { detail: 'It is your own account: ask another operator' });
}
