import type { Request, Response } from 'express';
import { viewerOfAccount } from '../../../../../domain/accounts/account';
import type { SignedIn, SignIn, SignInOrigin } from '../../../../../domain/accounts/sign-in';
import type { UseSession } from '../../../../../domain/accounts/use-session';
import { InvalidInput } from '../../../../../domain/shared/errors';
import { Secret } from '../../../../../domain/shared/secret';
import type { AddressOf } from '../../reading/caller-address';
import { knownSession, sessionOf, setSession, viewerOf } from '../http/access';
import { accountRole, PasswordDto, RoleDto, SignInDto } from './account.dto';
import { ownSessionView, type ServiceInfo, sessionView } from './account-view';
import { ManageProblem } from '../http/problem';
import { readInput } from '../http/json-body';
import { clearSessionCookie, requireOwnOrigin, setSessionCookie } from '../http/session-cookie';
import { type Mount, pathId, serve } from '../http/serve';
import { sessionCalls } from './session-calls';

export interface SessionRoutesDeps {
  readonly signIn: SignIn;
  readonly useSession: UseSession;
  readonly addressOf: AddressOf;
  readonly publicBaseUrl: string;
  readonly service: ServiceInfo;
}

/** Serves the calls about sign-in, sign-out and the sessions of an account. */
export const sessionRoutes = (mount: Mount, deps: SessionRoutesDeps): void => {
  serve(mount, sessionCalls, new SessionController(deps));
};

class SessionController {
  constructor(private readonly deps: SessionRoutesDeps) {}

  readonly show = (req: Request, res: Response): void => {
    res.json(sessionView(viewerOf(req), knownSession(res)?.known, this.deps.service));
  };

  readonly begin = async (req: Request, res: Response): Promise<void> => {
    requireOwnOrigin(req, this.deps.publicBaseUrl);
    const { signIn, useSession } = this.deps;
    const input = await readInput(req, SignInDto);
    const begun = await beginBy(signIn, input, this.originOf(req));
    // A browser holds one session, so the previous one ends: it would stay valid unseen.
    const before = knownSession(res)?.known;
    if (before) await useSession.end(before, before.session.id, requestIdOf(req)).catch(() => undefined);
    await this.showBegun(res, begun);
  };

  readonly end = async (req: Request, res: Response): Promise<void> => {
    const known = sessionOf(req).known;
    await this.deps.useSession.end(known, known.session.id, requestIdOf(req));
    clearSessionCookie(res, this.deps.publicBaseUrl);
    res.status(204).end();
  };

  readonly changePassword = async (req: Request, res: Response): Promise<void> => {
    const { account } = sessionOf(req).known;
    const { password, new_password: newPassword } = await readInput(req, PasswordDto);
    const given = { ...(password !== undefined && { password: new Secret(password) }), newPassword: new Secret(newPassword) };
    await this.showBegun(res, await this.deps.signIn.changePassword(account, given, this.originOf(req)));
  };

  readonly startViewAs = async (req: Request, res: Response): Promise<void> => {
    const viewAs = accountRole(await readInput(req, RoleDto));
    await this.switchView(req, res, viewAs.role === 'operator' ? undefined : viewAs);
  };

  readonly endViewAs = (req: Request, res: Response): Promise<void> => this.switchView(req, res, undefined);

  readonly list = async (req: Request, res: Response): Promise<void> => {
    const { known } = sessionOf(req);
    const sessions = await this.deps.useSession.list(known);
    res.json({ data: sessions.map((session) => ownSessionView(session, known.session.id)), next_cursor: null });
  };

  readonly endOne = async (req: Request, res: Response): Promise<void> => {
    await this.deps.useSession.end(sessionOf(req).known, pathId(req, 'id'), requestIdOf(req));
    res.status(204).end();
  };

  private async switchView(req: Request, res: Response, viewAs: ReturnType<typeof accountRole> | undefined): Promise<void> {
    const { known, token } = sessionOf(req);
    if (known.account.role !== 'operator') throw new ManageProblem('not-allowed');
    await this.deps.useSession.viewAs(token, known, viewAs, requestIdOf(req));
    res.json(sessionView(viewerOfAccount(known.account, viewAs), known, this.deps.service));
  }

  /** Signing in always creates a new session id, which prevents session fixation. */
  private async showBegun(res: Response, { token }: SignedIn): Promise<void> {
    const base = this.deps.publicBaseUrl;
    const known = await this.deps.useSession.find(token.reveal());
    if (!known) throw new ManageProblem('unauthenticated');
    setSessionCookie(res, base, token.reveal());
    setSession(res, { known, token: token.reveal(), base });
    res.status(201).json(sessionView(known.viewer, known, this.deps.service));
  }

  private originOf(req: Request): SignInOrigin {
    return { address: this.deps.addressOf(req), agent: req.headers['user-agent'] ?? '', requestId: requestIdOf(req) };
  }
}

const requestIdOf = (req: Request): string => String(req.res?.locals['requestId']);

/** Throws InvalidInput unless the input is an email with its password, or a link's token. */
function beginBy(signIn: SignIn, input: SignInDto, origin: SignInOrigin): Promise<SignedIn> {
  const { email, password, token, new_password: newPassword } = input;
  if (email !== undefined && password !== undefined && token === undefined && newPassword === undefined) {
    return signIn.byPassword({ email, password: new Secret(password) }, origin);
  }
  if (token !== undefined && email === undefined && password === undefined) {
    return signIn.byLink({ token, newPassword: newPassword === undefined ? undefined : new Secret(newPassword) }, origin);
  }
  throw new InvalidInput([{ path: '', rule: 'must hold email and password, or the token of a link' }]);
}
