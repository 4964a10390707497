/** Style sheet of the HTML report: light, dark and print. */
export const style = `
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#17212e;--dim:#5b6878;--line:#dde2e9;--good:#1a7f4b;--bad:#b42318;--warn:#9a6700;--none:#8b96a5;--code:#eef1f5}
@media (prefers-color-scheme:dark){:root{--bg:#0f151d;--card:#18212c;--ink:#e8edf3;--dim:#9aa7b6;--line:#2a3644;--good:#4cc38a;--bad:#ff8a7a;--warn:#e8b54a;--none:#718093;--code:#0f1720}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1040px;margin:0 auto;padding:40px 20px 64px}
h1{font-size:26px;line-height:1.25;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:17px;margin:36px 0 10px}
h2::first-letter{text-transform:uppercase}
h2 small{font-weight:400;color:var(--dim);font-size:13px;margin-left:8px}
.dim{color:var(--dim)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:12px;margin:24px 0 8px}
.tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px}
.tile b{display:block;font-size:26px;line-height:1.2;font-variant-numeric:tabular-nums}
.bar{display:flex;height:8px;border-radius:4px;overflow:hidden;background:var(--line);margin:16px 0 0}
.bar i{display:block;height:100%}
.passed{color:var(--good)}.failed{color:var(--bad)}.not-run{color:var(--warn)}.not-applicable{color:var(--none)}
.bar .passed{background:var(--good)}.bar .failed{background:var(--bad)}.bar .not-run{background:var(--warn)}
.stopped{border-left:4px solid var(--warn);background:var(--card);padding:10px 14px;border-radius:6px;margin:20px 0}
.list{background:var(--card);border:1px solid var(--line);border-radius:10px;overflow:hidden}
details+details{border-top:1px solid var(--line)}
summary{display:grid;grid-template-columns:24px minmax(0,1fr) auto;gap:8px;padding:9px 14px;cursor:pointer;list-style:none;align-items:baseline}
summary::-webkit-details-marker{display:none}
summary:hover{background:var(--code)}
summary:focus-visible{outline:2px solid var(--dim);outline-offset:-2px}
summary code{color:var(--dim);font-size:12.5px;margin-left:8px;overflow-wrap:anywhere}
summary .ms{color:var(--dim);font-size:13px;font-variant-numeric:tabular-nums;white-space:nowrap}
dl{display:grid;grid-template-columns:88px minmax(0,1fr);gap:4px 12px;margin:0;padding:4px 14px 16px 46px}
dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:13px}
pre{margin:0;background:var(--code);border-radius:6px;padding:8px 10px;white-space:pre-wrap}
.fix{font-weight:600}
footer{margin-top:40px;color:var(--dim);font-size:13px}
@media (max-width:560px){main{padding:24px 12px 40px}dl{grid-template-columns:1fr;padding-left:14px}dt{margin-top:6px}summary .ms{display:none}}
@media print{:root{--bg:#fff;--card:#fff;--ink:#000;--dim:#444;--line:#bbb;--code:#fff}main{max-width:none;padding:0}.list{border-radius:0}details{break-inside:avoid}summary{padding:3px 6px}}
`;
