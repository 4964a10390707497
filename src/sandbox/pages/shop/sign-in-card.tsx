interface SignInCardProps {
  /** Empty when there is no problem. */
  readonly problem: string;
  readonly onEnter: () => void;
}

/** A button instead of a form: the host app already knows the user. */
export function SignInCard({ problem, onEnter }: SignInCardProps) {
  return (
    <section className="card">
      <h2>Welcome aboard</h2>
      <p>Sign in with your host app. No password, no form.</p>
      <button type="button" className="primary" onClick={onEnter}>
        Sign in with Harbour
      </button>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
