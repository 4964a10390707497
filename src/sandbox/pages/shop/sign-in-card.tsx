interface SignInCardProps {
  /** Empty: none. */
  readonly problem: string;
  readonly onEnter: () => void;
}

/** One tap instead of a form: the host app knows who the user is. */
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
