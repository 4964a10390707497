/** The header of the ferry shop. */
export function ShopHero() {
  return (
    <header className="hero">
      <svg className="ferry" viewBox="0 0 200 70" aria-hidden="true">
        <path d="M40 40h122l-14 18H58z" fill="#fff" />
        <path d="M62 22h70v15H62z" fill="#ffd9b0" />
        <path d="M78 10h30v10H78zM116 6h9v14h-9z" fill="#ffb673" />
        <path d="M68 27h8v5h-8zM82 27h8v5h-8zM96 27h8v5h-8zM110 27h8v5h-8z" fill="#32508f" />
        <path
          className="wave"
          d="M0 64c10 0 10-6 20-6s10 6 20 6 10-6 20-6 10 6 20 6 10-6 20-6 10 6 20 6 10-6 20-6 10 6 20 6 10-6 20-6 10 6 20 6"
        />
      </svg>
      <h1>Skerry Ferries</h1>
      <p>Out to the islands, every forty minutes</p>
    </header>
  );
}
