/** Style sheet of the documentation pages: light and dark, desktop and phone. */
export const docsStyle = `:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #111c1f);
  --raised: light-dark(#f5f9fa, #16252a);
  --line: light-dark(#d5e2e5, #2b3f45);
  --ink: light-dark(#13252a, #d9e5e8);
  --quiet: light-dark(#4d6268, #9fb3b8);
  --link: light-dark(#0f6a75, #75c3ca);
  --good: light-dark(#146c43, #6fd3a0);
  --bad: light-dark(#a5362c, #f0938a);
  --mono: 'JetBrains Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  font: 16px/1.6 Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  scroll-padding-top: 4.5rem;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); }
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, pre:focus-visible, .table:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--ground); padding: 0.5rem 1rem; }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0.25rem 1.75rem; align-items: center; padding: 0.7rem max(1.5rem, calc((100vw - 84rem) / 2 + 1.5rem)); background: var(--ground); border-bottom: 1px solid var(--line); }
header nav { display: flex; gap: 1.25rem; overflow-x: auto; font-size: 0.925rem; }
header nav a { text-decoration: none; white-space: nowrap; color: var(--quiet); padding: 0.15rem 0; }
header nav a[aria-current] { color: var(--ink); box-shadow: 0 2px 0 var(--link); }
.brand { font-weight: 650; letter-spacing: -0.01em; color: var(--ink); text-decoration: none; }
.columns { display: grid; grid-template-columns: 19rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
aside { position: sticky; top: 3.2rem; align-self: start; max-height: calc(100vh - 3.2rem); overflow-y: auto; padding: 1.25rem 0.75rem 2rem 1.5rem; font-size: 0.875rem; line-height: 1.4; }
aside summary { display: none; }
aside h2 { margin: 1.1rem 0 0.25rem; font-size: 0.75rem; letter-spacing: 0.05em; text-transform: uppercase; color: var(--quiet); }
aside ul { list-style: none; margin: 0; padding: 0; }
aside li a { display: flex; gap: 0.5rem; align-items: baseline; padding: 0.2rem 0.4rem; border-radius: 0.3rem; color: var(--ink); text-decoration: none; }
aside li a:hover, aside li a[aria-current] { background: var(--raised); }
aside input { width: 100%; padding: 0.4rem 0.6rem; font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 0.4rem; }
main { padding: 1.5rem 2.5rem 6rem; min-width: 0; max-width: 58rem; min-height: calc(100vh - 3.2rem); border-left: 1px solid var(--line); overflow-wrap: anywhere; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em; margin: 0.5rem 0 1rem; }
h2 { font-size: 1.4rem; line-height: 1.3; margin: 2.75rem 0 0.5rem; }
h3 { font-size: 1.1rem; margin: 2rem 0 0.25rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { font-size: 0.8rem; text-transform: uppercase; letter-spacing: 0.05em; margin: 1.1rem 0 0.35rem; color: var(--quiet); }
h4 .quiet { text-transform: none; letter-spacing: 0; }
p { margin: 0.5rem 0; }
code { font-family: var(--mono); font-size: 0.86em; background: var(--raised); border-radius: 0.25rem; padding: 0.1em 0.3em; }
pre { overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.85rem 1rem; line-height: 1.5; }
pre code { background: none; padding: 0; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 0.5rem; }
blockquote { margin: 0.75rem 0; padding: 0.1rem 1rem; border-left: 3px solid var(--line); color: var(--quiet); }
.table { overflow-x: auto; margin: 0.75rem 0; }
table { border-collapse: collapse; font-size: 0.9rem; }
main table { overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.9rem 0.4rem 0; border-bottom: 1px solid var(--line); }
.quiet { color: var(--quiet); font-size: 0.9em; font-weight: 400; }
.call { border-top: 1px solid var(--line); padding-bottom: 0.75rem; }
.call h3 { margin-top: 1.5rem; }
.at { font-size: 0.95rem; margin: 0.25rem 0 0.5rem; }
.method { font: 600 0.7rem/1 var(--mono); display: inline-block; min-width: 3.2em; color: var(--link); }
.method.delete { color: var(--bad); }
.method.post, .method.put, .method.patch { color: var(--good); }
aside .method { font-size: 0.6rem; min-width: 4em; }
.chip { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: 0 0.55rem; font-size: 0.85em; }
.members { margin: 0; border-left: 2px solid var(--line); padding-left: 0.9rem; }
.members > div { padding: 0.35rem 0; }
.members dd { margin: 0; font-size: 0.93rem; }
.required { color: var(--bad); font-size: 0.8em; }
details > summary { cursor: pointer; }
.members details > summary, .example > summary { color: var(--quiet); font-size: 0.875rem; }
.answer { border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.45rem 0.9rem; margin: 0.4rem 0; }
.answer > summary { font-size: 0.9rem; }
.status { font: 600 0.85rem/1 var(--mono); margin-right: 0.4rem; }
.status.good { color: var(--good); }
.status.bad { color: var(--bad); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.75rem; margin: 0.75rem 0; }
.card { display: flex; flex-direction: column; padding: 0.85rem 1rem; border: 1px solid var(--line); border-radius: 0.6rem; text-decoration: none; color: inherit; background: var(--raised); }
.card strong { color: var(--link); }
.card span { color: var(--quiet); font-size: 0.9rem; }
:target { scroll-margin-top: 4.5rem; }
@media (max-width: 60rem) {
  header { position: static; padding: 0.7rem 1rem; }
  .columns { display: block; }
  aside { position: static; max-height: none; border: 0; border-bottom: 1px solid var(--line); padding: 0.5rem 1rem; }
  aside summary { display: block; padding: 0.4rem 0; font-weight: 600; }
  main { padding: 1rem 1rem 4rem; border: 0; min-height: 0; }
  h1 { font-size: 1.6rem; }
}
`;

/** Icon of the documentation pages. */
export const docsIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5b6e"/><path d="M7 20h18M16 6v14M16 8l7 9h-7" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/><path d="M7 25c3 0 3-2 6-2s3 2 6 2 3-2 6-2" fill="none" stroke="#6fe0cf" stroke-width="2.2" stroke-linecap="round"/></svg>`;

/** Script of the documentation pages: filters the contents, folds them on phones, and opens the target of a link. */
export const docsScript = `const contents = document.getElementById('contents');
const filter = document.getElementById('filter');
const narrow = matchMedia('(max-width: 60rem)');
const fold = () => { contents.open = !narrow.matches; };
fold();
narrow.addEventListener('change', fold);
filter.hidden = contents.querySelectorAll('li').length < 12;
filter.addEventListener('input', () => {
  const wanted = filter.value.trim().toLowerCase();
  for (const item of contents.querySelectorAll('li')) item.hidden = !item.textContent.toLowerCase().includes(wanted);
  for (const heading of contents.querySelectorAll('h2')) heading.hidden = ![...heading.nextElementSibling.children].some((item) => !item.hidden);
});
contents.addEventListener('click', (event) => {
  if (narrow.matches && event.target.closest('a[href^="#"]')) contents.open = false;
});
`;
