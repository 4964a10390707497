/** Style sheet of the evidence page, light and dark. */
export const evidenceStyle = `
:root{color-scheme:light dark;--ink:#1b2430;--soft:#56616f;--line:#dde3ea;--back:#f5f7fa;--card:#fff;--good:#0b6b3a;--goodback:#e5f5ec;--bad:#9a3412;--badback:#fdf0e6}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#a3afbd;--line:#333c48;--back:#14181e;--card:#1c2129;--good:#7ddba5;--goodback:#143023;--bad:#ffb787;--badback:#3a2213}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem 3rem}h1{font-size:1.6rem;margin:.1rem 0 1rem;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:0 0 .6rem}h3{font-size:.85rem;margin:.8rem 0 .3rem;color:var(--soft)}
.kind{margin:0;color:var(--soft);font-size:.85rem;overflow-wrap:anywhere}.verdict{padding:.8rem 1rem;border-radius:.5rem;border-left:.3rem solid}.verdict span{display:block}
.good{background:var(--goodback);color:var(--good);border-color:var(--good)}.bad{background:var(--badback);color:var(--bad);border-color:var(--bad)}
dl,section{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:1rem;margin:1rem 0}dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.7rem 1.5rem}
dt{color:var(--soft);font-size:.8rem}dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}code,pre{font:13px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
pre{margin:0;padding:.8rem;background:var(--back);border:1px solid var(--line);border-radius:.4rem;white-space:pre-wrap;overflow-wrap:anywhere}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th{color:var(--soft);font-size:.8rem;font-weight:600}th,td{text-align:left;padding:.4rem .7rem .4rem 0;border-bottom:1px solid var(--line);white-space:nowrap}
tr.failed td:nth-child(4){color:var(--bad);font-weight:600}footer{color:var(--soft);font-size:.85rem}`;
